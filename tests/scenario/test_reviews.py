"""Reviews: words become codes, rows that were reviewed leave the unlabelled ones for learning alone."""

import numpy as np
import pytest

from angularpu.data.row_fingerprints import fingerprint_each, write_fingerprint
from angularpu.errors import DataError
from angularpu.scenario.review_file import read_reviews
from angularpu.scenario.reviews import apply_reviews, encode_reviews
from angularpu.scenario.sample import make_sample

S = np.array([1, 1, 0, 0, 0, 0], np.int8)
X = np.arange(12.0).reshape(6, 2)


def make(reviews=None):
    return make_sample(X, S, scenario="one-sample", reviews=reviews)


def write(path, *lines):
    path.write_text("\n".join(["row,answer", *lines]) + "\n")
    return path


def test_a_word_that_is_no_review_is_refused_by_name():
    with pytest.raises(DataError, match="positive, negative, unsure or empty, got 'maybe'"):
        encode_reviews(["", "", "maybe", "", "", ""], S)


def test_a_labelled_positive_cannot_be_found_negative():
    with pytest.raises(DataError, match="row 1 is labelled positive but was reviewed as negative"):
        make(["", "negative", "", "", "", ""])


def test_a_sample_keeps_its_reviews_when_rows_are_taken_and_its_labels_stay_as_they_are():
    sample = make(["", "", "positive", "negative", "unsure", None])
    part = sample.take(np.array([3, 2, 0]))
    assert (part.confirmed.tolist(), part.refuted.tolist()) == ([1], [0])
    assert (sample.n_pos, sample.n_unl) == (2, 4)


def test_reviews_change_the_fingerprint_of_a_sample_and_none_leave_it():
    assert make().fingerprint() != make(["", "", "positive", "", "", ""]).fingerprint()


def test_negatives_are_repeated_to_weigh_their_share_beside_many_unlabelled_rows():
    s = np.repeat([1, 0], [10, 500]).astype(np.int8)
    reviews = np.zeros(510, np.int8)
    reviews[10:20] = -1
    rows, label = apply_reviews(np.arange(510), s, reviews)
    assert np.count_nonzero((rows >= 10) & (rows < 20)) == 240  # half of the other 490, but for rounding
    assert label.sum() == 10


def test_a_file_of_reviews_is_read_by_row_numbers_from_one(tmp_path):
    sample = read_reviews(write(tmp_path / "r.csv", "3,positive", "6,No", "5,"), make())
    assert (sample.confirmed.tolist(), sample.refuted.tolist()) == ([2], [5])


def test_a_spreadsheet_may_have_saved_it_with_semicolons(tmp_path):
    path = tmp_path / "r.csv"
    path.write_bytes("\ufeffanswer;row\r\npositive;3,0\r\n".encode())
    assert read_reviews(path, make()).confirmed.tolist() == [2]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["7,positive"], "reviews row 7, but the data has 6 rows"),
        (["0,positive"], "reviews row 0"),
        (["3,positive", "3,negative"], "row 3 stands twice"),
        (["three,positive"], "row number 'three', which is none"),
    ],
)
def test_rows_that_are_not_there_are_refused(tmp_path, lines, message):
    with pytest.raises(DataError, match=message):
        read_reviews(write(tmp_path / "r.csv", *lines), make())


def test_a_row_that_has_changed_since_is_refused(tmp_path):
    numbers = [write_fingerprint(number) for number in fingerprint_each(X)]
    path = tmp_path / "r.csv"
    path.write_text(f"row,answer,fingerprint\n3,positive,{numbers[2]}\n")
    assert read_reviews(path, make()).confirmed.tolist() == [2]
    path.write_text(f"row,answer,fingerprint\n4,positive,{numbers[2]}\n")
    with pytest.raises(DataError, match="row 4 of the data is not the row that"):
        read_reviews(path, make())
