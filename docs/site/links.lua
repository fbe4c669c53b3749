-- Links between pages lead to the pages of the site; links to other files of the tree are text. The page lies `root`
-- ("" or "../") below the top of the site.
local root = os.getenv("PAGE_ROOT") or ""

function Link(link)
  local path, anchor = link.target:match("^([^#]*)(#?.*)$")
  if path == "" or path:match("^%a+:") then
    return link
  end
  local leaves = path:sub(1, #root + 3) == root .. "../"
  if path:match("%.md$") and not leaves then
    link.target = path:gsub("README%.md$", "index.md"):gsub("%.md$", ".html") .. anchor
    return link
  end
  return link.content
end
