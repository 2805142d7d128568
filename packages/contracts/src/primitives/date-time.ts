import { z } from 'zod'

/** A date and time in input, UTC. PostgreSQL and ISO 8601 disagree on year 0. */
export const dateTime = z.iso.datetime().refine((value) => value >= '0001', 'Expected a year from 0001 on')
