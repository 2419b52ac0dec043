"""The least that a game needs: players load a coach with cards of their hands, and an overloaded coach counts nothing.

`docs/example_game.md` has the rules, E1 to E6, and walks through the files.
"""
