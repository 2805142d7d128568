/**
 * A request's target (RFC 9112 §3.2) from its path on: an absolute one names an authority before it, which is not what
 * it is answered by. Undefined for `*` and for what is no target.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return undefined
  const { pathname, search } = new URL(target)
  return pathname + search
}
