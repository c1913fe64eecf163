"""The tree of a model, for notebooks."""

from html import escape

WIDTH, HEIGHT = 150, 44  # of a body's place, in pixels


def places(model):
    """A column and a row for each body: leaves in order, a parent over the middle of its children."""
    children = [[] for _ in range(model.body_count + 1)]
    for body, parent in enumerate(model.parents):
        children[parent].append(body)  # the ground is the last
    column, row, leaves = {}, {}, 0
    for body, parent in enumerate(model.parents):  # parents stand before children
        row[body] = row[parent] + 1 if parent >= 0 else 1
    for body in reversed(range(model.body_count)):
        if not children[body]:
            leaves += 1
    next_leaf = leaves - 1
    for body in reversed(range(model.body_count)):
        below = children[body]
        if below:
            column[body] = (column[below[0]] + column[below[-1]]) / 2
        else:
            column[body], next_leaf = next_leaf, next_leaf - 1
    roots = children[model.body_count]
    return column, row, roots, leaves


def tree_svg(model):
    """The tree as SVG: a box for each body with its name, its joint's name and type on the line to its parent."""
    column, row, roots, leaves = places(model)
    ground = (column[roots[0]] + column[roots[-1]]) / 2 if roots else 0
    width, height = max(1, leaves) * WIDTH, (max(row.values(), default=0) + 1) * HEIGHT
    at = lambda body: ((column[body] if body >= 0 else ground) * WIDTH + WIDTH / 2,
                       (row[body] if body >= 0 else 0) * HEIGHT + 14)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}" font-family="sans-serif" font-size="10">']
    for body, parent in enumerate(model.parents):
        (x, y), (px, py) = at(body), at(parent)
        joint = escape(f"{model.joint_names[body]} ({model.joint_types[body]})", quote=True)
        line = f"M{px:.0f} {py + 9:.0f}L{x:.0f} {y - 9:.0f}"
        parts.append(f'<path d="{line}" stroke="#888" fill="none"><title>{joint}</title></path>')
    for body in range(-1, model.body_count):
        x, y = at(body)
        name = model.body_names[body] if body >= 0 else "world"
        text = name if len(name) <= 20 else name[:19] + "…"
        title = f"{name}: {model.joint_names[body]} ({model.joint_types[body]})" if body >= 0 else name
        parts.append(f'<g><title>{escape(title)}</title>'
                     f'<rect x="{x - 66:.0f}" y="{y - 9:.0f}" width="132" height="18" rx="4" fill="#eef3fb" '
                     f'stroke="#4a76b8"/><text x="{x:.0f}" y="{y + 4:.0f}" '
                     f'text-anchor="middle" fill="#123">{escape(text)}</text></g>')
    return "".join(parts) + "</svg>"


def tree_html(model):
    """The tree below a line of facts; of more than 200 bodies the line alone."""
    facts = f"<p>{escape(model.name)}: {model.body_count} bodies, nq {model.nq}, nv {model.nv}</p>"
    return facts + (tree_svg(model) if model.body_count <= 200 else "")
