"""One network trained by several processes, as torchrun starts them; without torchrun nothing here runs."""
