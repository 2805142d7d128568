import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type Address, formatUnits } from 'viem'
import { z } from 'zod'
import type { Agent } from '../agent/agent.ts'
import { recipientsOf, withName } from '../agent/recipients.ts'
import { readSessions, type Session } from '../agent/sessions.ts'
import { type AgentNetwork, currencyOfAllowance, readNetworks, showAmount } from '../agent/tokens.ts'
import { runTool } from './answers.ts'

const reads = { readOnlyHint: true, openWorldHint: true } as const

/** Tools that only read. */
export function addAccountTools(server: McpServer, agent: Agent): void {
  const { lanyard, settings, signer } = agent
  const { account, contacts } = settings

  server.registerTool(
    'get_account',
    {
      title: 'Account',
      description: 'The account that you pay from, your session key, and the networks where it can pay.',
      annotations: reads,
    },
    () =>
      runTool(async () => {
        const networks = await readNetworks(lanyard, settings)
        const { sessions, unavailable } = await readSessions(lanyard, { account, key: signer.key })
        return {
          account,
          sessionKey: signer.sessionKey,
          networks: networks.map(({ network, name, currencies }) => ({
            network,
            name,
            currencies: currencies.map(({ symbol, address }) => ({ symbol, ...(address && { address }) })),
            session: unavailable.includes(network)
              ? 'unknown: the network does not answer'
              : (sessions.find((one) => one.network === network)?.state ?? 'none: ask the owner'),
          })),
        }
      }),
  )

  server.registerTool(
    'get_balances',
    {
      title: 'Balances',
      description: 'What the account holds on each network. You may pay less than that: see get_allowances.',
      annotations: reads,
    },
    () =>
      runTool(async () => {
        const networks = await readNetworks(lanyard, settings)
        const { balances } = await lanyard.wallet.balances({ walletAddress: account })
        return {
          balances: balances.flatMap((one) => {
            const network = networks.find(({ network }) => String(network) === one.network)
            if (!network) return []
            const [coin] = network.currencies
            const native = one.native === null || !coin ? [] : [showAmount(BigInt(one.native), coin)]
            const tokens = one.tokens.map(
              ({ balance, decimals, symbol }) => `${formatUnits(BigInt(balance), decimals)} ${symbol}`,
            )
            return [
              {
                ...{ network: network.network, name: network.name },
                ...(one.available ? { holds: [...native, ...tokens] } : { unavailable: true }),
              },
            ]
          }),
        }
      }),
  )

  server.registerTool(
    'get_allowances',
    {
      title: 'Allowances left',
      description: 'What the owner allows you: amounts left, recipients, and when each session ends.',
      annotations: reads,
    },
    () =>
      runTool(async () => {
        const networks = await readNetworks(lanyard, settings)
        const { sessions, unavailable } = await readSessions(lanyard, { account, key: signer.key })
        return {
          sessions: sessions.flatMap((session) => {
            const network = networks.find(({ network }) => network === session.network)
            return network ? [describeSession(session, network, contacts)] : []
          }),
          ...(unavailable.length > 0 && { unavailable }),
          ...(sessions.length === 0 && { note: 'The owner has allowed nothing yet: use request_allowance.' }),
        }
      }),
  )

  server.registerTool(
    'list_contacts',
    {
      title: 'Contacts',
      description: "Recipients that the owner knows, by the owner's names.",
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      runTool(async () => ({
        contacts: Object.entries(contacts).map(([name, address]) => ({ name, address })),
      })),
  )

  server.registerTool(
    'get_history',
    {
      title: 'History',
      description: 'What you paid: the recipient, the amount and the result. Newest first.',
      inputSchema: { limit: z.int().min(1).max(100).default(20) },
      annotations: reads,
    },
    ({ limit }) =>
      runTool(async () => {
        const networks = await readNetworks(lanyard, settings)
        const records = await agent.records.list()
        return {
          payments: records.slice(0, limit).map(({ reference, request, at, outcome, txnHash, operation }) => {
            const network = networks.find(({ network }) => network === request.network)
            const currency = network && currencyOfAllowance(network, request.token)
            return {
              ...{ reference, at, network: request.network },
              amount: currency
                ? showAmount(BigInt(request.amount), currency)
                : `${request.amount} base units`,
              to: withName(request.to as Address, contacts),
              ...(request.url !== undefined && { url: request.url }),
              ...{ result: outcome ?? 'sent', ...(txnHash && { txnHash }) },
              ...(operation && { userOpHash: operation.userOpHash }),
            }
          }),
        }
      }),
  )

  server.registerTool(
    'get_operation',
    {
      title: 'Operation status',
      description: 'The state of one operation on its chain.',
      inputSchema: { userOpHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'Expected 32 bytes of hex') },
      annotations: reads,
    },
    ({ userOpHash }) => runTool(async () => ({ ...(await lanyard.smartAccount.status({ userOpHash })) })),
  )
}

/** A session as the model reads it: amounts with their symbols, recipients with the owner's names. */
export function describeSession(
  session: Session,
  network: AgentNetwork,
  contacts: Readonly<Record<string, Address>>,
): Record<string, unknown> {
  return {
    ...{ network: network.network, name: network.name, state: session.state },
    ends: new Date(session.validUntil * 1000).toISOString(),
    operationsLeft: session.operationsLeft,
    allowances: session.allowances.map(({ token, amount, left, period }) => {
      const currency = currencyOfAllowance(network, token)
      const show = (units: string) =>
        currency ? showAmount(BigInt(units), currency) : `${units} base units of ${token}`
      const { anyone, named } = recipientsOf(session, token as Address | undefined)
      return {
        ...{ left: show(left), of: show(amount) },
        ...(period > 0 && { everySeconds: period }),
        to: [...named.map((address) => withName(address, contacts)), ...(anyone ? ['your contacts'] : [])],
      }
    }),
  }
}
