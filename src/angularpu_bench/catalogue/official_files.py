"""The files that the authors of the data sets publish: their names, checksums and addresses.

What is downloaded is compared by SHA-256 where one is stated: by Keras for CIFAR-10's archive, by TensorFlow Datasets
for SVHN, STL-10's archive, MNIST and Fashion-MNIST, with their sizes, and by scikit-learn for 20 Newsgroups. The MD5
sums of CIFAR-10's and STL-10's files are stated by torchvision, those of MedMNIST by its own package. A file for which
nobody states a checksum has None; its content is that of the copy that our results were made with.
"""

from angularpu_bench.catalogue.entry import File

_TORONTO = "https://www.cs.toronto.edu/~kriz/"
_HOUSE_NUMBERS = "https://ufldl.stanford.edu/housenumbers/"
_MEDMNIST = "https://zenodo.org/record/6496656/files/"
_MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist/"
_FASHION = "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/"

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
    File(f"cifar-10-batches-py/{name}", f"md5:{md5}", content=content, packing="pickle", most=32_000_000)
    for name, md5, content in _CIFAR_BATCHES
)
CIFAR10_BINARY = tuple(
    File(f"cifar-10-batches-bin/{name}.bin", f"sha256:{content}") for name, _, content in _CIFAR_BATCHES
)
CIFAR10_ARCHIVE = File(
    "cifar-10-python.tar.gz",
    "sha256:6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
    f"{_TORONTO}cifar-10-python.tar.gz",
    most=170_498_071,
)

SVHN = (
    File(
        "train_32x32.mat",
        "sha256:435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8",
        f"{_HOUSE_NUMBERS}train_32x32.mat",
        most=182_040_794,
    ),
    File(
        "test_32x32.mat",
        "sha256:cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b",
        f"{_HOUSE_NUMBERS}test_32x32.mat",
        most=64_275_384,
    ),
)

STL10 = (
    File("stl10_binary/train_X.bin", "md5:918c2871b30a85fa023e0c44e0bee87f", most=5000 * 3 * 96 * 96),
    File("stl10_binary/train_y.bin", "md5:5a34089d4802c674881badbb80307741", most=5000),
    File("stl10_binary/test_X.bin", "md5:7f263ba9f9e0b06b93213547f721ac82", most=8000 * 3 * 96 * 96),
    File("stl10_binary/test_y.bin", "md5:36f9794fa4beb8a2c72628de14fa638e", most=8000),
)
STL10_ARCHIVE = File(
    "stl10_binary.tar.gz",
    "sha256:f31fd99273a1acb8609c8db427cebb1de3f71de77758cdc0e22956e1289b9866",
    "https://ai.stanford.edu/~acoates/stl10/stl10_binary.tar.gz",
    most=2_640_397_119,
)


def _medmnist(name: str, md5: str, *, images: int, channels: int) -> tuple[File, ...]:
    # Its images have 28 x 28 pixels; compression makes them no larger, and labels and headers fit into a megabyte.
    most = images * channels * 28 * 28 + (1 << 20)
    return (File(f"{name}.npz", f"md5:{md5}", f"{_MEDMNIST}{name}.npz", most=most),)


PATHMNIST = _medmnist("pathmnist", "a8b06965200029087d5bd730944a56c1", images=107_180, channels=3)
OCTMNIST = _medmnist("octmnist", "c68d92d5b585d8d81f7112f81e2d0842", images=109_309, channels=1)
PNEUMONIAMNIST = _medmnist("pneumoniamnist", "28209eda62fecd6e6a2d98b1501bb15f", images=5_856, channels=1)
BREASTMNIST = _medmnist("breastmnist", "750601b1f35ba3300ea97c75c52ff8f6", images=780, channels=1)
DERMAMNIST = _medmnist("dermamnist", "0744692d530f8e62ec473284d019b0c7", images=10_015, channels=3)
RETINAMNIST = _medmnist("retinamnist", "bd4c0672f1bba3e3a89f0e4e876791e4", images=1_600, channels=3)

# Training images, training labels, test images, test labels: SHA-256 and size of the .gz file, SHA-256 of its content.
_IDX_NAMES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)
_MNIST_SUMS = (
    (
        "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
        9_912_422,
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    ),
    (
        "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
        28_881,
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    ),
    (
        "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
        1_648_877,
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    ),
    (
        "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
        4_542,
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
    ),
)
_FASHION_SUMS = (
    (
        "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
        26_421_880,
        "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
    ),
    (
        "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
        29_515,
        "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
    ),
    (
        "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
        4_422_102,
        "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
    ),
    (
        "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
        5_148,
        "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
    ),
)


def _idx(
    folder: str, address: str, sums: tuple[tuple[str, int, str], ...]
) -> tuple[tuple[File, ...], tuple[File, ...]]:
    named = tuple(zip(_IDX_NAMES, sums, strict=True))
    packed = tuple(
        File(f"{folder}/{name}.gz", f"sha256:{sha}", f"{address}{name}.gz", content=content, packing="gzip", most=size)
        for name, (sha, size, content) in named
    )
    return packed, tuple(File(f"{folder}/{name}", f"sha256:{content}") for name, (_, _, content) in named)


MNIST, MNIST_UNPACKED = _idx("mnist", _MNIST, _MNIST_SUMS)
FASHION_MNIST, FASHION_MNIST_UNPACKED = _idx("fashion-mnist", _FASHION, _FASHION_SUMS)

NEWSGROUPS20 = (
    File(
        "20news-bydate.tar.gz",
        "sha256:8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
        "https://ndownloader.figshare.com/files/5975967",
        most=40_000_000,  # its posts have 37 MB uncompressed
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
