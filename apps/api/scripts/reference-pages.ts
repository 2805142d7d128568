/** Prints the pages of the site that follow from what this app declares, as JSON: path in the repository → text. */
import { cliPage } from './cli-page.ts'
import { endpointPages } from './endpoints-page.ts'
import { llmsText } from './llms-text.ts'

const endpoints = [...endpointPages()].map(([name, text]) => [`docs/endpoints/${name}`, text])
process.stdout.write(
  JSON.stringify({
    'docs/cli.md': await cliPage(),
    'docs/llms.txt': llmsText(),
    ...Object.fromEntries(endpoints),
  }),
)
