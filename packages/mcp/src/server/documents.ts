import { readFile } from 'node:fs/promises'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Agent } from '../agent/agent.ts'
import { AgentError } from '../agent/agent-error.ts'
import { fetchPage } from '../x402/fetch-page.ts'

const mimeType = 'text/markdown'

/** Pages of the service's documentation that explain what a tool answers. */
const pages = [
  { name: 'session-keys', title: 'Session keys: what the chain enforces' },
  { name: 'guides/let-an-agent-pay', title: 'Let an agent pay: the steps of the owner' },
  { name: 'errors', title: 'What each error code means, and what to do' },
]

/** The document for agents, which is part of the package, and pages that the service has. */
export function addDocuments(server: McpServer, { settings }: Agent): void {
  const add = (name: string, title: string, read: () => Promise<string>) => {
    const uri = `lanyard://documents/${name}`
    server.registerResource(name, uri, { title, mimeType }, async () => ({
      contents: [{ uri, mimeType, text: await read() }],
    }))
  }
  add('agents', 'How this agent pays, and what limits it', () =>
    readFile(new URL('../../README.md', import.meta.url), 'utf8'),
  )
  for (const { name, title } of pages) add(name, title, () => readPage(settings.url, name))
}

/** @throws AgentError if the service does not have the page */
async function readPage(service: string, name: string): Promise<string> {
  const { status, contentType, text } = await fetchPage(new URL(`${service}/docs/${name}.md`))
  if (status === 200 && !contentType.includes('html')) return text
  throw new AgentError(
    'The wallet service does not serve its documentation. Read lanyard://documents/agents.',
  )
}
