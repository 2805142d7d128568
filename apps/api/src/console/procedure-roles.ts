import type { OperatorRole } from '../domain/operators/operator-roles.ts'

/**
 * Who may call each procedure of the console: the least role, or `anyone` before the sign-in. This is the only place
 * that says so. A procedure that is missing here is refused, and the console's test fails.
 */
export const procedureRoles: Readonly<Record<string, OperatorRole | 'anyone'>> = {
  'session.current': 'anyone',
  'session.invitation': 'anyone',
  'session.acceptOptions': 'anyone',
  'session.accept': 'anyone',
  'session.signInOptions': 'anyone',
  'session.signIn': 'anyone',
  'session.signOut': 'viewer',

  'overview.read': 'viewer',
  'overview.series': 'viewer',
  'operations.search': 'viewer',
  'operations.detail': 'viewer',
  'accounts.search': 'viewer',
  'accounts.detail': 'viewer',
  'accounts.chain': 'viewer',
  'policies.list': 'viewer',
  'keys.list': 'viewer',
  'webhooks.list': 'viewer',
  'balance.read': 'viewer',

  // What a delivery carried, and what an outsider answered.
  'webhooks.deliveries': 'support',
  'policies.dryRun': 'support',
  'webhooks.redeliver': 'support',
  'webhooks.lastTest': 'support',
  'webhooks.test': 'support',

  'keys.create': 'operator',
  'keys.revoke': 'operator',
  'webhooks.disable': 'operator',
  'webhooks.enable': 'operator',
  'policies.resume': 'operator',
  'policies.save': 'operator',
  'policies.discard': 'operator',

  'audit.list': 'operator',
  'operators.list': 'admin',
  'operators.invite': 'admin',
  'operators.changeRole': 'admin',
  'operators.disable': 'admin',
  'operators.revokeSession': 'admin',
}
