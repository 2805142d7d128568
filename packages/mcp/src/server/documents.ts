import { readFile } from 'node:fs/promises'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'

/** The documents for agents, which are part of the package. */
const documents = [{ name: 'agents', file: 'README.md', title: 'How this agent pays, and what limits it' }]

export function addDocuments(server: McpServer): void {
  for (const { name, file, title } of documents) {
    const uri = `lanyard://documents/${name}`
    server.registerResource(name, uri, { title, mimeType: 'text/markdown' }, async () => ({
      contents: [
        {
          uri,
          mimeType: 'text/markdown',
          text: await readFile(new URL(`../../${file}`, import.meta.url), 'utf8'),
        },
      ],
    }))
  }
}
