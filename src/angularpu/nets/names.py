"""The names of the encoders, for whoever asks without building one."""

from typing import Literal

EncoderName = Literal["linear", "mlp", "cnn13", "vgg11_bn", "vgg16"]
