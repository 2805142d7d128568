import { type EndpointDeclaration, LanyardError } from '@lanyard/contracts'

/** What a declared endpoint without a procedure answers, whatever the request holds. */
export function plannedError(declaration: EndpointDeclaration | undefined): LanyardError | undefined {
  if (declaration?.availability !== 'planned') return undefined
  return new LanyardError('NOT_IMPLEMENTED', {
    message: `This service does not offer ${declaration.path} yet.`,
  })
}
