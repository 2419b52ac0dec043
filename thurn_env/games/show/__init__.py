"""Texts and pictures that all games share."""
