import express from 'express'
import { listen } from './listen.ts'
import { openLookup, path, query } from './username-lookup.ts'

const lookup = await openLookup()
const app = express()
app.get(path, async (request, response) => {
  response.json(await lookup(query.parse(request.query)))
})
listen(app)
