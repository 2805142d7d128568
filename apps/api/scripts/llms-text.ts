import { endpointList } from '../src/platform/endpoint-list.ts'

/** /llms.txt: the service in one page of plain text, for programs that read (llmstxt.org). */
export function llmsText(): string {
  const endpoints = endpointList.map(
    ({ declaration: { method, path, summary } }) => `- ${method} ${path}: ${summary}`,
  )
  return `# Lanyard

> Self-hosted smart account wallets on several EVM networks: accounts owned by an EOA or a passkey, one spendable balance
> across networks, session keys. tRPC, REST, or packages. MIT.

Amounts are decimal strings in base units. Addresses are checksummed. Build returns 32 bytes, \`messageToSign\`. The owner
signs them. Submit answers when the operation is included. Every error has a \`code\` (docs/errors.md).

## Docs

- [For coding agents](../SKILL.md): code that runs for each task. With all guides and pages in one text: /llms-full.txt
- [Index](README.md): everything, by what you want to do
- [Quick start](quick-start.md): one command, a first transaction
- [Concepts](concepts.md): accounts, operations, lanes, the combined balance, sessions
- [Endpoints](endpoints/README.md): input, answer, errors and examples of each
- [Errors](errors.md): what each code means, and what to do
- [Session keys](session-keys.md): limits that the chain enforces
- [Self-hosting](self-hosting.md): from an empty machine to a service
- [Brand the wallet](brand.md): name, logo, colours, language, features
- [Configuration](configuration.md): every variable
- [Command line](cli.md): every command of the operator
- [Operations](operations.md): keys, limits, logs, metrics, alerts
- [Database](database.md): roles, poolers, managed servers, restoring to a moment
- [Recovery](../apps/recovery/README.md): moving everything out without the service

## Guides

- [Recover a lost passkey](guides/recover-a-lost-passkey.md)
- [Sponsor gas](guides/sponsor-gas.md)
- [Keep your address with EIP-7702](guides/keep-your-address.md)
- [Take over the users of another service](guides/import-accounts.md)
- [Let an agent pay](guides/let-an-agent-pay.md)
- [Run it on Base](guides/run-it-on-base.md)
- [Call it from Python or Go](guides/from-python-or-go.md)
- [Move from another service](guides/move-from-another-service.md)

## Packages

- [@lanyard/react](api/react.md), [@lanyard/connect](api/connect.md), [@lanyard/viem](api/viem.md),
  [@lanyard/client](api/client.md), [@lanyard/mcp](api/mcp.md): every export

## Endpoints

${endpoints.join('\n')}
`
}
