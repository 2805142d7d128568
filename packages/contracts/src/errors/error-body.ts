import { z } from 'zod'
import { errorCodes } from './error-table.ts'

/** The body of every error response, and `error.data` over tRPC. Some codes add members. */
export const errorBody = z
  .looseObject({
    code: z.enum(errorCodes),
    message: z.string(),
    requestId: z.string().meta({ description: 'Quote it when you ask for help. The log has it too.' }),
    docs: z.string().meta({ description: 'Path on this service that explains the code.' }),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Present with INVALID_INPUT: each malformed field.' }),
  })
  .meta({
    id: 'Error',
    example: {
      code: 'INVALID_INPUT',
      message: 'The request is malformed; see issues.',
      requestId: '5f0c7a52-6d3b-4a39-9a5e-0d9d5e2f6f11',
      docs: '/docs/errors#INVALID_INPUT',
      issues: [
        {
          path: 'transactionDetails.0.value',
          message: 'Expected a decimal string in base units: at most 78 digits',
        },
      ],
    },
  })

export type ErrorBody = z.output<typeof errorBody>
