import { createServer } from 'node:http'
import { Server } from 'socket.io'
import { streamTokens } from './stream-tokens.ts'

// socket.io on Node: streams the model's answer to whoever says something, and keeps nothing.

const model = process.env.MODEL
const http = createServer((_request, response) => response.end('here'))
const io = new Server(http, { transports: ['websocket'] })

io.on('connection', (socket) => {
  socket.on('say', async ({ text }, acknowledge) => {
    acknowledge({ ok: true })
    let reply = ''
    for await (const token of streamTokens(model, text)) {
      reply += token
      socket.emit('delta', { text: token })
    }
    socket.emit('turn', { text: reply })
  })
})

http.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: http.address().port })))
