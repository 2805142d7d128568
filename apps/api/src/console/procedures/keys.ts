import { keyScopes, LanyardError } from '@lanyard/contracts'
import { z } from 'zod'
import { createKey, problemOfKey, revokeKey } from '../../acts/keys.ts'
import { isKeyOrigin, keyOriginForm } from '../../domain/accounts/api-keys/key-origin.ts'
import { listApiKeys } from '../../domain/accounts/api-keys/manage-api-keys.ts'
import { operatorProcedure, router } from '../console-trpc.ts'
import { isFullKey } from '../guarded-acts.ts'
import { runAct } from '../run-act.ts'

const origin = z.string().refine(isKeyOrigin, keyOriginForm)

const name = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'Expected letters, digits, ".", "_" and "-", at most 64.')

const newKey = z
  .object({
    kind: z.enum(['secret', 'publishable']),
    name,
    origins: z.array(origin).max(20).default([]),
    scope: z.enum(keyScopes).default('full'),
    /** Keys of a project share their limits. */
    project: name.optional(),
  })
  .superRefine((key, context) => {
    const problem = problemOfKey(key)
    if (problem) context.addIssue(problem.text)
  })

export const keys = router({
  /** Ids, never keys. Those of API_KEYS have no rows. */
  list: operatorProcedure.query(async ({ ctx: { database, services } }) => ({
    keys: (await listApiKeys(database)).map(({ created_at, revoked_at, ...key }) => ({
      ...key,
      createdAt: created_at.toISOString(),
      revokedAt: revoked_at?.toISOString() ?? null,
    })),
    configured: services.env.API_KEYS.map(({ name }) => name),
  })),
  create: operatorProcedure
    .input(newKey)
    .mutation(({ ctx, input }) =>
      runAct(isFullKey(input) ? { ...ctx, neededRole: 'admin' } : ctx, (act) => createKey(act, input)),
    ),
  revoke: operatorProcedure
    .input(z.object({ id: z.string().regex(/^lk_(secret|public)_[\w-]{8}$/, 'Expected the id of a key.') }))
    .mutation(({ ctx, input: { id } }) =>
      runAct(ctx, async (act) => {
        const revoked = await revokeKey(act, id)
        if (!revoked) throw new LanyardError('INVALID_INPUT', { message: 'No valid key has this id.' })
        return { disabledWebhooks: revoked.disabledWebhooks }
      }),
    ),
})
