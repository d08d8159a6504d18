"""A page of results: what `gridblas --json` wrote, as one self-contained HTML file with plots by matplotlib, PNG and SVG beside it.

`gridblas report` runs this; by hand: python3 -m gridblas_report RESULT.json... -o report.html. It needs neither the library nor the package gridblas.
"""
