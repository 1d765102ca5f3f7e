from angularpu_bench.report.html import write_table as write_html
from angularpu_bench.report.markdown import write_table as write_markdown
from angularpu_bench.report.table import Field, Table


def test_a_text_with_marks_of_its_own_cannot_break_a_table():
    table = Table("A <b> title", ("a|b",), ((Field("x|y\nz & <i>"),),), notes=("1 < 2",))
    assert "| a\\|b |" in write_markdown(table)
    assert "x\\|y z & <i>" in write_markdown(table)
    assert "x|y\nz &amp; &lt;i&gt;" in write_html(table)
    assert "<li>1 &lt; 2</li>" in write_html(table)


def test_a_long_field_is_broken_into_lines_and_a_short_one_is_not():
    page = write_html(Table("Trial", ("a", "b"), ((Field("short"), Field("long " * 20)),)))
    assert "<td>short</td><td class=prose>long" in page


def test_marks_stay_out_of_the_heading_and_its_anchor():
    text = write_markdown(Table("Trial", ("a",), ((Field("x"),),), marks=(1, 14)))
    assert text.startswith("### Trial\n\nOn the published numbers: [^1] [^14]\n\n| a |")


def test_a_table_that_continues_another_has_no_heading():
    table = Table("", ("a",), ((Field("x"),),))
    assert write_markdown(table).startswith("| a |")
    assert write_html(table).startswith('<div class="wide">')
