"""Stand-alone programs, each of which measures one environment; they run without this project's packages.

    python -P eval/peers/scripts/rlcard_game.py SECONDS WORD ...

with the checkout on PYTHONPATH. The last line of their output is the measurement as JSON, see `loop.Measurement`.
"""
