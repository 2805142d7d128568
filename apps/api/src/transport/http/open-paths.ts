import { findEndpoint } from '../../platform/endpoint-list.ts'
import { calledNames } from './called-names.ts'

/** Public paths besides endpoints: they describe how to use the service. */
const openPages = [/^\/$/, /^\/openapi\.json$/, /^\/docs(\/|$)/]

/** True for a path that needs no credentials. */
export function isOpen(path: string): boolean {
  if (openPages.some((page) => page.test(path))) return true
  const names = calledNames(path)
  return names.length > 0 && names.every((name) => findEndpoint(name)?.access.anonymous === 'allowed')
}
