import { initTRPC } from '@trpc/server'
import express from 'express'
import { createOpenApiExpressMiddleware, type OpenApiMeta } from 'trpc-to-openapi'
import { listen } from './listen.ts'
import { openLookup, output, path, query } from './username-lookup.ts'

const lookup = await openLookup()
const trpc = initTRPC.meta<OpenApiMeta>().create()
const router = trpc.router({
  checkUsername: trpc.procedure
    .meta({ openapi: { method: 'GET', path } })
    .input(query)
    .output(output)
    .query(({ input }) => lookup(input)),
})
const app = express()
app.use(createOpenApiExpressMiddleware({ router, createContext: () => ({}) }))
listen(app)
