import { z } from 'zod'

/** A moment in input, UTC. PostgreSQL and ISO 8601 do not agree on a year 0. */
export const dateTime = z.iso.datetime().refine((value) => value >= '0001', 'Expected a year from 0001 on')
