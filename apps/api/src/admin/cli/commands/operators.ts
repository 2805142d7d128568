import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  changeRole,
  confirmPasskey,
  disableOperator,
  forgetPasskeys,
  inviteOperator,
} from '../../../acts/operators.ts'
import { invitationLink } from '../../../domain/operators/invitation-link.ts'
import { listOperators } from '../../../domain/operators/manage-operators.ts'
import { fingerprint } from '../../../domain/operators/operator-passkeys.ts'
import { type OperatorRole, operatorName, operatorRoles } from '../../../domain/operators/operator-roles.ts'
import { counted } from '../../../platform/counted.ts'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'
import { terminal } from '../terminal.ts'

const about = `Operators sign in to the console with a passkey (docs/console.md). A role includes the ones before it:
viewer sees everything but the audit log, support also sees deliveries and repeats them, operator also changes keys, webhooks and
sponsorship, admin also manages operators. No role can sign for a user.`

interface Json {
  readonly json?: boolean
}

/** `lanyard operators invite|list|role|disable|confirm|forget-passkeys`. */
export function addOperators(group: Command): void {
  const operators = group
  withManual(
    withJson(operators.command('invite').description('print a link with which a person registers a passkey'))
      .argument('<name>', 'of the operator, as the audit log will show it', parseName)
      .addOption(
        new Option('--role <role>', 'of a new operator; an existing one keeps its role')
          .choices(operatorRoles)
          .default('viewer'),
      )
      .option(
        '--break-glass',
        'may sign in with the passkey when CONSOLE_PASSKEYS=break-glass; raises an alert',
      )
      .option(
        '--origin <origin>',
        'address of the console (default: CONSOLE_ORIGIN; without DATABASE_URL, http://localhost:3100)',
      ),
    {
      about: `${about}

The link works once, for a day. A new one for the same person ends the earlier one.`,
      environment: { ...ofPreparedDatabase, CONSOLE_ORIGIN: 'the address of the console' },
      examples: [
        'operators invite alice --role admin',
        'operators invite alice',
        'operators invite fire-safe --role admin --break-glass',
      ],
    },
  ).action((...given: Parameters<typeof invite>) => invite(...given))
  withManual(
    withJson(operators.command('list').description('list operators, with their roles and sessions')),
    {
      about,
      environment: ofPreparedDatabase,
      examples: ['operators list'],
    },
  ).action((...given: Parameters<typeof list>) => list(...given))
  withManual(
    withJson(operators.command('role').description('change the role of an operator, at once'))
      .argument('<name>', 'of the operator', parseName)
      .argument('<role>', operatorRoles.join(', '), parseRole),
    { about, environment: ofPreparedDatabase, examples: ['operators role alice operator'] },
  ).action((...given: Parameters<typeof role>) => role(...given))
  withManual(
    withJson(
      operators.command('disable').description('end the access of an operator: sessions, links and passkeys'),
    ).argument('<name>', 'of the operator', parseName),
    { about, environment: ofPreparedDatabase, examples: ['operators disable alice'] },
  ).action((...given: Parameters<typeof disable>) => disable(...given))
  withManual(
    withJson(
      operators.command('confirm').description('vouch for the passkey of a person of the identity provider'),
    )
      .argument('<name>', 'of the operator', parseName)
      .argument('<passkey>', 'the twelve characters that its owner sees in the console'),
    {
      about: `${about}

A person of CONSOLE_OIDC_ISSUER adds a passkey after the sign-in. It confirms nothing until an administrator vouches for it: an attacker who controls
the provider could otherwise invent an operator together with a passkey. Ask its owner, not through the provider.`,
      environment: ofPreparedDatabase,
      examples: ['operators confirm alice.3f2a91c0de Xk3_a9Qz71bC'],
    },
  ).action((...given: Parameters<typeof confirm>) => confirm(...given))
  withManual(
    withJson(
      operators.command('forget-passkeys').description('take all passkeys of an operator away, after a loss'),
    ).argument('<name>', 'of the operator', parseName),
    {
      about: `${about}

A person of the identity provider then adds another one; other operators need \`operators invite\`. Their sessions go on: \`disable\`
ends these.`,
      environment: ofPreparedDatabase,
      examples: ['operators forget-passkeys alice.3f2a91c0de'],
    },
  ).action((...given: Parameters<typeof forget>) => forget(...given))
}

function parseName(text: string): string {
  if (operatorName.test(text)) return text
  throw new InvalidArgumentError('Expected letters, digits, ".", "_" and "-", at most 64.')
}

function parseRole(text: string): OperatorRole {
  const found = operatorRoles.find((one) => one === text)
  if (found) return found
  throw new InvalidArgumentError(`Expected one of ${operatorRoles.join(', ')}.`)
}

const unknown = (name: string) =>
  new CliError(
    'UNKNOWN_OPERATOR',
    `There is no active operator ${name}. \`lanyard operators list\` shows them.`,
  )

interface InviteOptions extends Json {
  readonly role: OperatorRole
  readonly breakGlass?: boolean
  readonly origin?: string
}

/** Of `npm start`. */
const localConsole = 'http://localhost:3100'

async function invite(
  name: string,
  { role: wanted, breakGlass, origin, json }: InviteOptions,
): Promise<void> {
  const { CONSOLE_ORIGIN, DATABASE_URL } = readCliEnv(terminal().env)
  const consoleOrigin = origin ?? CONSOLE_ORIGIN ?? (DATABASE_URL === undefined ? localConsole : undefined)
  if (consoleOrigin === undefined) {
    throw new CliError(
      'UNKNOWN_CONSOLE',
      'The address of the console is unknown, and the link needs it. Give --origin https://console.example.com, or set CONSOLE_ORIGIN. No invitation was made.',
    )
  }
  await using database = await openCliDatabase()
  const invitation = await runCliAct(database, (act) =>
    inviteOperator(act, { name, role: wanted, breakGlass }),
  )
  if (!invitation) {
    throw new CliError(
      'DISABLED_OPERATOR',
      `${name} is disabled, and the audit log keeps the name. Choose another one.`,
    )
  }
  const { operator, token, expiresAt } = invitation
  const link = invitationLink(consoleOrigin, token)
  const output = createOutput({ json })
  output.say(link)
  output.say('')
  output.say(
    `${name} (${operator.role}) registers a passkey with it, once, until ${expiresAt.toISOString()}.`,
  )
  output.finish({ name, role: operator.role, link, expiresAt })
}

async function list({ json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  const operators = await listOperators(database.db, new Date())
  const output = createOutput({ json })
  for (const {
    name,
    role: has,
    passkeys,
    sessions,
    disabled_at,
    issuer,
    waiting,
    break_glass,
  } of operators) {
    const state = disabled_at
      ? `disabled ${disabled_at.toISOString()}`
      : `${counted(passkeys, 'passkey')}, ${counted(sessions, 'session')}`
    const notes = [
      ...(issuer === null ? [] : [issuer]),
      ...(break_glass ? ['break-glass'] : []),
      ...(waiting === null ? [] : [`passkey ${fingerprint(waiting)} waits`]),
    ]
    output.say([name, has.padEnd(8), state, ...notes].join('  '))
  }
  if (operators.length === 0) output.say('There is no operator yet. `lanyard operators invite` makes one.')
  output.finish({
    operators: operators.map(({ name, role: has, passkeys, sessions, ...row }) => ({
      ...{ name, role: has, passkeys, sessions, createdAt: row.created_at, disabledAt: row.disabled_at },
      ...{ issuer: row.issuer, breakGlass: row.break_glass },
      waitingPasskey: row.waiting === null ? null : fingerprint(row.waiting),
    })),
  })
}

async function role(name: string, wanted: OperatorRole, { json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  const isKnown = await runCliAct(database, (act) => changeRole(act, { name, role: wanted }))
  if (!isKnown) throw unknown(name)
  const output = createOutput({ json })
  output.say(`${name} is ${wanted} from now on.`)
  output.finish({ name, role: wanted })
}

async function disable(name: string, { json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  if (!(await runCliAct(database, (act) => disableOperator(act, name)))) throw unknown(name)
  const output = createOutput({ json })
  output.say(`${name} has no access any more.`)
  output.finish({ name, disabled: true })
}

async function confirm(name: string, passkey: string, { json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  if (!(await runCliAct(database, (act) => confirmPasskey(act, { name, passkey })))) {
    throw new CliError(
      'UNKNOWN_PASSKEY',
      `No such passkey of ${name} waits. One waits for a day, and only the last one that they added: \`lanyard operators list\` shows it.`,
    )
  }
  const output = createOutput({ json })
  output.say(`The passkey ${passkey} of ${name} confirms acts from now on.`)
  output.finish({ name, passkey })
}

async function forget(name: string, { json }: Json): Promise<void> {
  await using database = await openCliDatabase()
  const passkeys = await runCliAct(database, (act) => forgetPasskeys(act, name))
  if (passkeys === 0) throw new CliError('UNKNOWN_PASSKEY', `${name} has no passkey.`)
  const output = createOutput({ json })
  output.say(`${name} has no passkey any more: ${counted(passkeys, 'passkey')} taken away.`)
  output.finish({ name, passkeys })
}
