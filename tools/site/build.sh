#!/usr/bin/env bash
# Makes the site: build.sh SITE PICTURES, two folders that it empties first.
#
# MkDocs makes the pages (mkdocs.yml, pages.py), Doxygen the C++ reference. Then this script follows
# all links, runs docs/look_back to its end in a browser, which compares the result with the
# sequential sum, uses that page as a visitor would (clicks.js), and takes pictures of it, for
# people to look at.
set -euo pipefail
site=$(realpath -m "$1") pictures=$(realpath -m "$2")
cd "$(dirname "$0")/../.."
rm -rf "$site" "$pictures"
mkdir -p "$pictures"

tools/quotes.py docs/device_pieces.md docs/start_cpp.md docs/start_cuda.md docs/coming_from.md
# Debian's Python has MkDocs; another Python may come before it on the path.
/usr/bin/mkdocs build --quiet --config-file tools/site/mkdocs.yml --site-dir "$site"
(cat tools/site/Doxyfile && echo "OUTPUT_DIRECTORY = $site") | doxygen -
tools/links.py --site "$site"

page=file://$site/look_back/index.html
browse() {  # OPTION... ADDRESS
    chromium --headless --disable-gpu --hide-scrollbars --virtual-time-budget=3000 \
        $( ((EUID == 0)) && echo --no-sandbox) "$@" 2>/dev/null
}
for run in "ticks=end" "ticks=end&blocks=8&window=1&tiles=40" "ticks=end&blocks=1"; do
    browse --dump-dom "$page?$run" >"$pictures/page.html"
    grep -q '<html[^>]* data-check="right"' "$pictures/page.html" || {
        echo "docs: docs/look_back, $run: not run to a right end; see $pictures/page.html" >&2
        exit 1
    }
done
# In a frame, because no window of a browser is as narrow as a telephone.
sed "s#</body>#<script src=\"$PWD/tools/site/clicks.js\"></script>&#" "$site/look_back/index.html" \
    >"$site/look_back/clicks.html"
for width in 320 400 1400; do
    cat >"$pictures/frame.html" <<FRAME
<!doctype html><html data-clicks="no answer"><script>
onmessage = (event) => { document.documentElement.dataset.clicks = event.data; };
</script><iframe width="$width" height="900" src="${page/index/clicks}"></iframe></html>
FRAME
    browse --dump-dom "file://$pictures/frame.html" >"$pictures/page.html"
    grep -q '<html[^>]* data-clicks="right"' "$pictures/page.html" || {
        echo "docs: docs/look_back, $width wide: $(grep -o 'data-clicks="[^"]*"' "$pictures/page.html")" >&2
        exit 1
    }
done
rm "$site/look_back/clicks.html" "$pictures/frame.html" "$pictures/page.html"

picture() {  # NAME WIDTH,HEIGHT 0 (dark) or 1 (light) SETTINGS
    browse --window-size="$2" --blink-settings=preferredColorScheme="$3" \
        --screenshot="$pictures/$1.png" "$page?$4"
}
picture wide_light 1400,1300 1 "ticks=22"
picture wide_dark 1400,1300 0 "stall=late&ticks=34"
picture narrow_light 400,2600 1 "stall=early&ticks=60"
picture narrow_dark 400,2600 0 "ticks=22&blocks=8"
echo "$site/index.html; pictures of docs/look_back in $pictures"
