import type { Engine } from '@lanyard/database'
import { freshDatabase, usualEngine } from '@lanyard/database/testing'
import { networkConfig } from '@lanyard/networks'
import { freePorts } from '@lanyard/testing'
import { pino } from 'pino'
import { startService } from '../../src/app/server.ts'
import { inviteOperator } from '../../src/domain/operators/manage-operators.ts'
import type { OperatorRole } from '../../src/domain/operators/operator-roles.ts'
import { openSession } from '../../src/domain/operators/operator-sessions.ts'
import { readEnv } from '../../src/platform/environment/env.ts'
import { encodeCbor } from '../passkeys/authenticator.ts'
import { openBrowser } from './browser.ts'
import { client, startProvider } from './start-provider.ts'

const roles = 'lanyard-admins=admin,cn=ops=operator,support=viewer'

/** A console whose operators sign in at a provider of this machine. The test has its clock. */
export async function startConsole(
  settings: Readonly<Record<string, string>> = {},
  engine: Engine = usualEngine(),
) {
  const database = await freshDatabase(engine)
  // The provider has to know the port of the console, which has to know the provider.
  const port = await freePorts(1)
  const origin = `http://localhost:${port}`
  const provider = await startProvider(origin)
  const logged: string[] = []
  let ahead = 0
  const env = readEnv({
    ...{ PORT: '0', CONSOLE_PORT: String(port), NODE_ENV: 'test', ROLES: 'admin', RATE_LIMITS: 'off' },
    ...{ CONSOLE_OIDC_ISSUER: provider.issuer, CONSOLE_OIDC_CLIENT_ID: client.id },
    ...{ CONSOLE_OIDC_CLIENT_SECRET: client.secret, CONSOLE_OIDC_ROLES: roles },
    ...settings,
  })
  const now = () => new Date(Date.now() + ahead)
  const networks = [
    networkConfig.parse({ chainId: 1, name: 'Test', rpcUrls: ['http://127.0.0.1:9'], local: true }),
  ]
  const service = await startService(env, {
    ...{ database, networks, now },
    log: pino({ level: 'debug' }, { write: (line) => void logged.push(line) }),
  })

  const audit = () =>
    database.db
      .selectFrom('audit_log')
      .select(['actor', 'act', 'subject', 'before', 'after', 'identity'])
      .orderBy('position')
      .execute()

  return {
    ...{ database, provider, service, origin, logged, audit, env, now },
    browser: (cookie?: string) => openBrowser(origin, cookie),
    /** Lets time pass for the console; the provider's goes on as it is. */
    pass(milliseconds: number) {
      ahead += milliseconds
    },
    acts: async () => (await audit()).map(({ act }) => act),
    /** An operator of this house, with a passkey and a session. */
    async local(name: string, role: OperatorRole, { breakGlass = false } = {}) {
      const created_at = now()
      const { id, cookie } = await database.db.transaction().execute(async (transaction) => {
        const invitation = await inviteOperator(transaction, { name, role, breakGlass }, created_at)
        const operatorId = invitation?.operator.id ?? ''
        const session = { operatorId, address: '::1', userAgent: 'test', now: created_at }
        const { token } = await openSession(transaction, session)
        return { id: operatorId, cookie: `lanyard-console=${token}` }
      })
      const browser = openBrowser(origin, cookie)
      const { passkey } = browser
      await database.db
        .insertInto('operator_passkeys')
        .values({
          ...{ id: passkey.id, operator_id: id, public_key: encodeCbor(passkey.cosePublicKey()) },
          ...{ counter: 0, backup_eligible: false, transports: '[]', created_at },
        })
        .execute()
      return browser
    },
    /** A person of the provider, signed in, with a passkey that somebody has confirmed. */
    async person(sub: string, groups: readonly string[]) {
      provider.is(sub, { username: sub, groups })
      const browser = openBrowser(origin)
      await browser.signIn()
      await browser.enrol()
      await database.db.updateTable('operator_passkeys').set({ waiting: false }).execute()
      return browser
    },
    async [Symbol.asyncDispose]() {
      await service.close()
      await provider[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

export type TestConsole = Awaited<ReturnType<typeof startConsole>>
