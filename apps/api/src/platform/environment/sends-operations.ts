import type { Env } from './env.ts'

/** Whether this process sends operations to bundlers: the other roles must not need a relayer's key. */
export const sendsOperations = ({ ROLES }: Pick<Env, 'ROLES'>): boolean =>
  ROLES.includes('api') || ROLES.includes('worker')
