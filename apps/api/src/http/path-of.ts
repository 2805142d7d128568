/**
 * The path of a request's target (RFC 9112 §3.2), without its query. Of an absolute target it is what a URL would have;
 * a target that is none stays as it is, and is nothing's path.
 */
export function pathOf(target: string): string {
  if (!target.startsWith('/')) return URL.canParse(target) ? new URL(target).pathname : target
  const end = target.search(/[?#]/)
  return end < 0 ? target : target.slice(0, end)
}
