import { z } from 'zod'

const maxChainId = Number.MAX_SAFE_INTEGER

/**
 * A network in input: the EIP-155 chain id as an integer or as a decimal string, or CAIP-2 (`eip155:8453`).
 * The registry checks whether it is configured, not the schema.
 */
export const network = z
  .union(
    [
      z.int().positive(),
      z
        .string()
        .regex(/^(?:eip155:)?[1-9]\d{0,15}$/)
        .transform((value) => Number(value.replace('eip155:', ''))),
    ],
    'Expected a chain id: an integer, its decimal string, or eip155:<id>',
  )
  .refine((id) => id <= maxChainId, 'Too large for a chain id')
  .meta({
    type: 'string',
    description: 'EIP-155 chain id. An integer and CAIP-2 (`eip155:31337`) are also accepted.',
    example: '31337',
  })

/** A network in responses of the smart balance, of health and of the wallet listing: an integer. */
export const networkInteger = z.int().positive().meta({ example: 31337 })
