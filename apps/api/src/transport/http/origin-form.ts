/**
 * A request's target (RFC 9112 §3.2) from its path on. An absolute target also has an authority, which is not
 * used. Undefined for `*` and for an invalid target.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return undefined
  const { pathname, search } = new URL(target)
  return pathname + search
}
