"""The names of the encoders and of the numbers they multiply in, for whoever asks without building one."""

from typing import Literal

EncoderName = Literal["linear", "mlp", "cnn13", "vgg11_bn", "vgg16"]
Precision = Literal["float32", "bfloat16"]
