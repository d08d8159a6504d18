#!/bin/bash
# The page of report.sh in a headless Chromium: wide and narrow, light and dark, printed, and without an error on its console.
# Usage: tests/report_browser.sh PROGRAM FOLDER (see program_run.sh).
set -u
page=$(realpath -m "$2")/page.html
. "$(dirname "$0")/program_run.sh"
[ -f "$page" ] || { echo "skipped: report.sh has written no page"; exit 77; }
chromium=$(command -v chromium || command -v chromium-browser) || { echo "skipped: no chromium (Debian: chromium)"; exit 77; }
for python in python3 /usr/bin/python3; do "$python" -c 'import matplotlib' 2>err && break; done
cp "$page" .
# The page's DOM in a file; its console output goes to err.
look() {
  timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --enable-logging=stderr \
    "${@:3}" --screenshot="$work/$2" "file://$work/$1" >out 2>err
  grep -h CONSOLE err
}
shows() { # FILE DARK: a picture with enough content, on this background
  "$python" -c 'import sys; from matplotlib.image import imread
a = imread(sys.argv[1]); edge = a[5, 5, :3].mean()
assert len({tuple(p) for p in a[::7, ::7, :3].reshape(-1, 3).round(2).tolist()}) > 20, "there is little to see"
assert (edge < 0.5) == (sys.argv[2] == "dark"), edge' "$@"
}
printf '<script>console.error("a planted error")</script>' >planted.html
holds "an error on the console is seen" is "$(look planted.html planted.png | grep -c 'a planted error')" 1
holds "a wide window, no error" is "$(look page.html wide.png --window-size=1200,3000)" ""
holds "the wide window shows the page" shows wide.png light
holds "a telephone in the dark, no error" is "$(look page.html narrow.png --window-size=400,3000 --blink-settings=preferredColorScheme=0)" ""
# A script in a copy reports how wide plots are on a telephone, and whether any is cropped.
sed 's|</body>|<script>document.title = [...document.querySelectorAll("figure svg")].filter(s => s.getBoundingClientRect().width > 0).every(s => s.getBoundingClientRect().right <= document.documentElement.clientWidth) \&\& [...document.querySelectorAll("figure svg")].some(s => s.getBoundingClientRect().width > 0) ? "all fit" : "cut off"</script></body>|' page.html >measured.html
timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --window-size=500,900 --dump-dom "file://$work/measured.html" >out 2>err
holds "plots fit a narrow window" grep -q '<title>all fit' out
holds "the telephone shows the page" shows narrow.png dark
timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --print-to-pdf="$work/page.pdf" "file://$work/page.html" >out 2>err
holds "on paper" is "$(head -c 5 page.pdf)" %PDF-
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
