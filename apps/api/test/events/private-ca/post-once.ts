import { postWebhook } from '../../../src/domain/events/webhooks/post-webhook.ts'

/** A process of its own, since Node reads NODE_EXTRA_CA_CERTS when it starts: prints what a receiver answers. */
const [url = ''] = process.argv.slice(2)
const answer = await postWebhook({ url, headers: {}, body: '{}' }, { isLocal: true })
process.stdout.write(JSON.stringify(answer))
