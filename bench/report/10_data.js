// drawn next
