"""Scripted bots as kernels. They read only what their seat may know, so a redeal never changes a choice."""
