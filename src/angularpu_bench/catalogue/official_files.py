"""The files that the authors of the data sets publish: their names, checksums and addresses.

The MD5 sums of CIFAR-10, SVHN, STL-10, MNIST and Fashion-MNIST are stated by their authors or by torchvision, those of
MedMNIST by its own package, and the SHA-256 of 20 Newsgroups by scikit-learn. A file for which nobody states a checksum
has None; its content is that of the copy that our results were made with.
"""

from angularpu_bench.catalogue.entry import File

_TORONTO = "https://www.cs.toronto.edu/~kriz/"
_HOUSE_NUMBERS = "http://ufldl.stanford.edu/housenumbers/"
_MEDMNIST = "https://zenodo.org/record/6496656/files/"
_MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist/"
_FASHION = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"

# The MD5 of each pickle, and the SHA-256 of the binary batch, which is also the pickle's content.
_CIFAR_BATCHES = (
    (
        "data_batch_1",
        "c99cafc152244af753f735de768cd75f",
        "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5",
    ),
    (
        "data_batch_2",
        "d4bba439e000b95fd0a9bffe97cbabec",
        "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed",
    ),
    (
        "data_batch_3",
        "54ebc095f3ab1f0389bbae665268c751",
        "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67",
    ),
    (
        "data_batch_4",
        "634d18415352ddfa80567beed471001a",
        "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48",
    ),
    (
        "data_batch_5",
        "482c414d41f54cd18b22e5b47cb7c3cb",
        "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add",
    ),
    (
        "test_batch",
        "40351d587109b95175f43aff81a1287e",
        "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b",
    ),
)
CIFAR10_PYTHON = tuple(
    File(f"cifar-10-batches-py/{name}", f"md5:{md5}", content=content, packing="pickle")
    for name, md5, content in _CIFAR_BATCHES
)
CIFAR10_BINARY = tuple(
    File(f"cifar-10-batches-bin/{name}.bin", f"sha256:{content}") for name, _, content in _CIFAR_BATCHES
)
CIFAR10_ARCHIVE = File(
    "cifar-10-python.tar.gz", "md5:c58f30108f718f92721af3b95e74349a", f"{_TORONTO}cifar-10-python.tar.gz"
)

SVHN = (
    File("train_32x32.mat", "md5:e26dedcc434d2e4c54c9b2d4a06d8373", f"{_HOUSE_NUMBERS}train_32x32.mat"),
    File("test_32x32.mat", "md5:eb5a983be6a315427106f1b164d9cef3", f"{_HOUSE_NUMBERS}test_32x32.mat"),
)

STL10 = (
    File("stl10_binary/train_X.bin", "md5:918c2871b30a85fa023e0c44e0bee87f"),
    File("stl10_binary/train_y.bin", "md5:5a34089d4802c674881badbb80307741"),
    File("stl10_binary/test_X.bin", "md5:7f263ba9f9e0b06b93213547f721ac82"),
    File("stl10_binary/test_y.bin", "md5:36f9794fa4beb8a2c72628de14fa638e"),
)
STL10_ARCHIVE = File(
    "stl10_binary.tar.gz",
    "md5:91f7769df0f17e558f3565bffb0c7dfb",
    "http://ai.stanford.edu/~acoates/stl10/stl10_binary.tar.gz",
)

PATHMNIST = (File("pathmnist.npz", "md5:a8b06965200029087d5bd730944a56c1", f"{_MEDMNIST}pathmnist.npz"),)
OCTMNIST = (File("octmnist.npz", "md5:c68d92d5b585d8d81f7112f81e2d0842", f"{_MEDMNIST}octmnist.npz"),)
PNEUMONIAMNIST = (File("pneumoniamnist.npz", "md5:28209eda62fecd6e6a2d98b1501bb15f", f"{_MEDMNIST}pneumoniamnist.npz"),)
BREASTMNIST = (File("breastmnist.npz", "md5:750601b1f35ba3300ea97c75c52ff8f6", f"{_MEDMNIST}breastmnist.npz"),)
DERMAMNIST = (File("dermamnist.npz", "md5:0744692d530f8e62ec473284d019b0c7", f"{_MEDMNIST}dermamnist.npz"),)
RETINAMNIST = (File("retinamnist.npz", "md5:bd4c0672f1bba3e3a89f0e4e876791e4", f"{_MEDMNIST}retinamnist.npz"),)

# Training images, training labels, test images, test labels: MD5 of the .gz file, SHA-256 of the file inside.
_IDX_NAMES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)
_MNIST_SUMS = (
    ("f68b3c2dcbeaaa9fbdd348bbdeb94873", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
    ("d53e105ee54ea40749a09fcbcd1e9432", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
    ("9fb629c4189551a2d022fa330f9573f3", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
    ("ec29112dd5afa0611ce80d1b7f02629c", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"),
)
_FASHION_SUMS = (
    ("8d4fb7e6c68d591d4c3dfef9ec88bf0d", "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"),
    ("25c81989df183df01b3e8a0aad5dffbe", "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"),
    ("bef4ecab320f06d8554ea6380940ec79", "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"),
    ("bb300cfdad3c16e7a12a480ee83cd310", "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"),
)


def _idx(folder: str, address: str, sums: tuple[tuple[str, str], ...]) -> tuple[tuple[File, ...], tuple[File, ...]]:
    named = tuple(zip(_IDX_NAMES, sums, strict=True))
    packed = tuple(
        File(f"{folder}/{name}.gz", f"md5:{md5}", f"{address}{name}.gz", content=content, packing="gzip")
        for name, (md5, content) in named
    )
    return packed, tuple(File(f"{folder}/{name}", f"sha256:{content}") for name, (_, content) in named)


MNIST, MNIST_UNPACKED = _idx("mnist", _MNIST, _MNIST_SUMS)
FASHION_MNIST, FASHION_MNIST_UNPACKED = _idx("fashion-mnist", _FASHION, _FASHION_SUMS)

NEWSGROUPS20 = (
    File(
        "20news-bydate.tar.gz",
        "sha256:8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
        "https://ndownloader.figshare.com/files/5975967",
    ),
)
NEWSGROUPS20_JSON = (
    File(
        "newsgroups20_bydate.json.gz",
        content="5ba7a069a8c20e7f8782d675b26877469c0bc987676931f24b299a054d3d9ca9",
        packing="gzip",
    ),
)
ALZHEIMER = (
    File("alzheimer_biomarkers.csv", content="80aabb5e6fb709ddebfbb0dd4b5c6283a9194b49af52c1b8726075b66c26f8db"),
)
SPAM = (File("spam.csv", content="118eb7ac6537494ccbff79fed03ec084f9f435b6e80fe7834fe8b6eee6d7253e"),)
LETTER = (File("letter.csv", content="143b56adb63c0d6b7beb6c5b4ecf6e5991707f521a88efa4fdc4b5f7b3ec99a1"),)
