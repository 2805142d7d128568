import type { CreateDocumentOptions } from 'zod-openapi'

type Override = Extract<NonNullable<CreateDocumentOptions['override']>, (...parameters: never[]) => unknown>

/**
 * Removes parts that would confuse readers of the document: the lenient alternatives of an input whose
 * canonical type is declared, the pattern that validates a date and time, and the pattern of an integer.
 */
export const simplifySchema: Override = ({ jsonSchema }) => {
  if (jsonSchema.type !== undefined) delete jsonSchema.anyOf
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.type === 'integer') delete jsonSchema.pattern
}
