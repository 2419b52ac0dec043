"""Stand-alone programs that measure one environment each; they run without this project's dependencies.

    python -P eval/peers/scripts/rlcard_game.py SECONDS WORD ...

with the checkout on PYTHONPATH. The last line of output is the measurement as JSON, see `loop.Measurement`.
"""
