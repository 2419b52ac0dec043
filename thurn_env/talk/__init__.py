"""Games in words for language models and programs: prompts, and the reading of answers."""

from thurn_env.talk.prompt import briefing, legal_list, position, prompt
from thurn_env.talk.reading import NotUnderstood, read_answer

__all__ = ["NotUnderstood", "briefing", "legal_list", "position", "prompt", "read_answer"]
