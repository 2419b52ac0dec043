"""Standing lists: a folder that keeps all games of many agents on shared decks and rates the agents.

settings.py   game, board and seeds of a list
identity.py   version and digest of an agent
store.py      the database of a list
claims.py     which process plays which games
levels.py     strengths of the agents, and how well the games determine them
choice.py     the games to play next
playing.py    play them
figures.py    ratings, intervals and all other figures
table.py      the list as a text table
site.py       the list as a static site
"""
