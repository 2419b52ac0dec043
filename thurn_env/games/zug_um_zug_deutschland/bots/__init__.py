"""Scripted bots as kernels. They read only what their seat may know: a redeal never changes a choice."""
