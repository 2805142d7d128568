import { invitationLink } from '../domain/operators/invitation-link.ts'
import { inviteOperator } from '../domain/operators/manage-operators.ts'
import type { Services } from '../pipeline/services.ts'
import { recordAct } from '../platform/audit/record-act.ts'

/**
 * Invites the person who tries the service on their own machine, so that the console opens without another command. On
 * real networks only `lanyard operators invite` invites.
 *
 * @returns the link; undefined if an operator has a passkey already
 */
export async function inviteLocalOperator(
  { database, env, networks, now }: Pick<Services, 'database' | 'env' | 'networks' | 'now'>,
  origin: string,
): Promise<string | undefined> {
  const isLocal = networks.list().every(({ config }) => config.local)
  if (!isLocal || env.NODE_ENV !== 'development') return undefined
  return database.transaction().execute(async (transaction) => {
    const passkey = await transaction.selectFrom('operator_passkeys').select('id').limit(1).executeTakeFirst()
    if (passkey) return undefined
    const invitation = await inviteOperator(transaction, { name: 'local', role: 'admin' }, now())
    if (!invitation) return undefined
    const { operator, token } = invitation
    await recordAct(transaction, {
      ...{ actor: `service:${env.ROLES.join(',')}`, source: 'localhost', act: 'operator.invite' },
      ...{ subject: operator.name, after: { role: operator.role } },
    })
    return invitationLink(origin, token)
  })
}
