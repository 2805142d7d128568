import { endpointList } from '../src/platform/endpoint-list.ts'

/** docs/llms.txt: the service in one page of plain text, for programs that read (llmstxt.org). */
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

- [Index](README.md): everything, by what you want to do
- [Concepts](concepts.md): accounts, operations, lanes, the combined balance, sessions
- [Endpoints](endpoints/README.md): input, answer, errors and examples of each
- [Errors](errors.md): what each code means, and what to do
- [Self-hosting](self-hosting.md): from an empty machine to a service
- [Configuration](configuration.md): every variable
- [Command line](cli.md): every command of the operator
- [Operations](operations.md): keys, limits, logs, metrics, alerts
- [Recovery](../apps/recovery/README.md): moving everything out without the service

## Endpoints

${endpoints.join('\n')}
`
}
