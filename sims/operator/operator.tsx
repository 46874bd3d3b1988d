import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './components/app.tsx'
import { Desk } from './desk.ts'
import { keepFocus } from './keep-focus.ts'
import { contextStateAt } from './workflow/history.ts'

const desk = new Desk()
const place = document.getElementById('operator')
if (place) render(<App desk={desk} />, place)
keepFocus(desk.store)
effect(() => {
  const { view, head, time } = desk.store
  const run = view.value.screen === 'run' ? head.value : null
  const name = run ? (contextStateAt(run, time.value) ?? run).purpose : view.value.screen === 'run' ? 'Run' : 'Runs'
  document.title = `${name} · Walkon`
})
void desk.start()
