"""The data of a page are the JSON of all its fields, though they are compressed as they come.

Private names: the packing of a page's numbers is tested alone.
"""

import base64
import json
import zlib

import numpy as np
import pytest

from firsthit.assessment.report.page import PageData

FIELDS = {
    "numbers": [1, 2.5, None],
    "curves": [{"x": [0.1, 1e-300], "of": {"a": []}}, {}, {"text": "ä</script>"}],
    "table": {"target": [1e-8], "star": [True], "rows": [{"n": 1}], "nothing": {}},
    "empty": {},
    "none": [],
}


def unpacked(data):
    return zlib.decompress(base64.b64decode(data.packed())).decode()


@pytest.mark.parametrize("names", [[], ["numbers"], list(FIELDS), list(FIELDS)[::-1]])
def test_the_fields_make_one_object(names):
    data = PageData()
    for name in names:
        data.add({name: FIELDS[name]})
    assert data.names == names
    expected = {name: FIELDS[name] for name in names}
    assert unpacked(data) == json.dumps(expected, separators=(",", ":"))


@pytest.mark.parametrize("value", [np.nan, np.inf, [{"x": np.array([-np.inf])}]])
def test_what_json_cannot_say_is_refused(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        PageData().add({"x": value})
