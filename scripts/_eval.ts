import { readFileSync, existsSync, readdirSync } from 'node:fs'
import { parse } from 'yaml'
import { readWordTable } from '../worker/actor/rehearsal/word-table.ts'
import { plainText } from '../worker/core/text/words.ts'
const b = readFileSync('sims/words/english.bin'); const table = readWordTable(b.buffer.slice(b.byteOffset, b.byteOffset+b.byteLength) as ArrayBuffer)
type Entry = { ref:string, texts:string[], own:string[] }
const STOP=new Set('a an the and or but so if then than as at by for from in into of off on onto out over to up down with about is are was were be been being am do does did have has had having i you he she it we they me him her us them my your his its our their this that these those there here would could should can will shall may might must just really very quite also too still even ever yes ok okay well like get got go going please actually honestly thing things lot one hi hello hey thanks sorry right anything something some any all'.split(' '))
const SLANG:Record<string,string>={u:'you',ur:'your',r:'are',y:'why',cos:'because',coz:'because',cuz:'because',bc:'because',ppl:'people',n:'and',pls:'please',plz:'please',thx:'thanks',wanna:'want to',gonna:'going to',gotta:'have to',kinda:'kind of',dunno:'do not know',idk:'i do not know',tho:'though',thru:'through',abt:'about',msg:'message',tmrw:'tomorrow',tbh:'',lol:'',omg:'',innit:'',mate:'',btw:'',whos:'who is',whens:'when is',wheres:'where is',hows:'how is',whys:'why is',nope:'no',nah:'no',yeah:'yes',yh:'yes',wk:'week',wks:'weeks',hr:'hour',min:'minute',qs:'questions',med:'medical',q:'question',shld:'should',wld:'would',cld:'could',smth:'something',sth:'something',havent:'have not',hasnt:'has not',theres:'there is',heres:'here is',ive:'i have',youve:'you have',theyve:'they have',weve:'we have',ill:'i will',id:'i would',youre:'you are',fig:'figure',b4:'before',w:'with',wont:'will not'}
function norm(t:string){ let p=plainText(t).replace(/[^a-z0-9.%' ]+/g,' '); return p.split(/\s+/).map(w=>w.replace(/^[.']+|[.']+$/g,'')).filter(Boolean).flatMap(w=>(Object.hasOwn(SLANG,w)?SLANG[w]!:w).split(' ').filter(Boolean)) }
const TYPES:[string,RegExp][]=[['?howlong',/\bhow (?:long|soon|quick|fast)\b|\bhow much (?:longer|time)\b/],['?howmany',/\bhow (?:many|much|big|large|often|high|bad)\b|\bwhat (?:number|percent|share|rate)\b/],['?mean',/\b(?:what (?:is|are|does) .{0,40}\bmean|mean by|meaning|in (?:plain|normal|simple|human)|explain)\b|^(?:and |so |sorry )?what (?:is|are) (?:a |an |the )?\w+(?: \w+)?$/],['?why',/\b(?:why|how come|reason)\b/],['?who',/\b(?:who|whose|whom)\b/],['?when',/\b(?:when|what time|deadline|by what)\b/],['?where',/\bwhere\b/],['?sure',/\b(?:how (?:sure|certain|confident)|are you sure|certain|trust)\b/],['?view',/\b(?:what (?:do|would|should) (?:you|i|we) (?:think|do|say|want)|would you|your (?:view|opinion|call|gut)|you think|do you reckon)\b/],['?feel',/\b(?:feel|scared|afraid|worried|angry|upset|are you (?:ok|okay|alright|all right))\b/],['?how',/\bhow\b/]]
function typeOf(words:string[]){ const s=words.join(' '); return TYPES.filter(([,r])=>r.test(s)).map(([n])=>n)[0]??null }
const stem=(w:string)=>w.replace(/(?:'s|s|es|ed|ing|ly|er)$/,'').replace(/(.)\1$/,'$1')
function weight(w:string){ if(w.startsWith('?')) return 0.6; if(/^\d/.test(w)) return 1; if(STOP.has(w)) return 0.08; const r=table.rank(w); return r===null?1.1:0.25+0.85*Math.log(1+r)/Math.log(table.size) }
const cache=new Map<string,number>()
function like(a:string,b2:string){ if(a===b2) return 1; if(a.startsWith('?')||b2.startsWith('?')) return 0; if(stem(a)===stem(b2)&&a.length>3) return 0.95; const k=a<b2?a+' '+b2:b2+' '+a; let v=cache.get(k); if(v===undefined){ const l=table.likeness(a,b2)??0; v=Math.max(0,(l-0.42)/0.58)*0.85; cache.set(k,v)} return v }
function cover(q:string[],a:string[]){ let s=0,t=0; for(const w of q){ const x=weight(w); t+=x; let m=0; for(const y of a){ const l=like(w,y); if(l>m)m=l } s+=x*m } return t===0?0:s/t }
function sim(q:string[],a:string[]){ const c1=cover(q,a), c2=cover(a,q); let f=0.55*c1+0.45*c2; const tq=typeOf(q), ta=typeOf(a); if(tq&&ta&&tq!==ta) f-=0.08; else if(tq&&tq===ta) f+=0.05; return f }
const scen:Record<string,any>={}; for(const f of ['launch-decision','night-shift','third-figure']) scen[f]=parse(readFileSync(`sims/${f}/scenario.yaml`,'utf8'))
const USE=Number(process.env.USE??'99'); const SHOW=process.env.SHOW
let tot=0,hit=0,top3=0, base=0; const conf:[number,boolean][]=[]
for(const key of readdirSync('/tmp/write').filter(k=>existsSync(`/tmp/write/${k}/out.json`))){
  const [f,id]=key.split('.') as [string,string]; const npc=scen[f].npcs.find((n:any)=>n.id===id)
  const out=JSON.parse(readFileSync(`/tmp/write/${key}/out.json`,'utf8')); const tune=JSON.parse(readFileSync(`/tmp/write/${key}/tune.json`,'utf8'))
  const E:Entry[]=[]
  npc.rehearsal.answers.forEach((a:any,i:number)=>E.push({ref:`A${i}`,texts:[...a.asks,...(out.asks[`A${i}`]??[]).slice(0,USE)],own:[...a.say,...(a.point?[a.point]:[])]}))
  ;[...npc.knowledge,...(npc.depth??[])].forEach((l:string,i:number)=>E.push({ref:`K${i}`,texts:process.env.NOKD?[]:(out.asks[`K${i}`]??[]).slice(0,USE),own:[l]}))
  ;(npc.document?.lines??[]).forEach((l:string,i:number)=>E.push({ref:`D${i}`,texts:process.env.NOKD?[]:(out.asks[`D${i}`]??[]).slice(0,USE),own:[l]}))
  for(const n of out.new) E.push({ref:`new:${n.id}`,texts:n.asks.slice(0,USE<99?USE+4:99),own:n.say})
  const prepared=E.map(e=>({ref:e.ref,texts:e.texts.map(norm),own:e.own.map(norm)}))
  let n=0,h=0
  tune.forEach((r:any,i:number)=>{ const label:string=out.labels[i]; if(!label||/^(statement|small-talk|bye|unknown|redirect)/.test(label)) return
    const refs=label.split(',').map((x:string)=>x.trim())
    const segs=[r.q,...r.q.split(/(?<=[.?!])\s+|,| - /)].map(norm).filter((s:string[])=>s.length>0&&s.length<40)
    const scored=prepared.map(e=>{ let best=0; segs.forEach((s,k)=>{ const disc=k===0?1:(s.length<3?0.8:0.96); for(const t of e.texts){ const v=sim(s,t)*disc; if(v>best)best=v } for(const t of e.own){ const v=cover(s,t)*0.72*disc; if(v>best)best=v } }); return {ref:e.ref,best} }).sort((a,b)=>b.best-a.best)
    n++; const ok=refs.includes(scored[0]!.ref); if(ok)h++; if(scored.slice(0,3).some(s=>refs.includes(s.ref))) top3++; conf.push([scored[0]!.best,ok])
    if(SHOW===id&&!ok) console.log(`#${i} "${r.q}" want ${label} got`,scored.slice(0,3).map(s=>s.ref+' '+s.best.toFixed(2)).join(' | '))
  })
  tot+=n;hit+=h; console.log(key,n,h,(h/n).toFixed(2))
}
console.log('all',tot,hit,(hit/tot).toFixed(3),'top3',(top3/tot).toFixed(3))
for(const th of [0.4,0.5,0.55,0.6,0.65,0.7,0.8]) { const a=conf.filter(([c])=>c>=th); console.log(th,a.length,(a.filter(([,o])=>o).length/a.length).toFixed(2)) }
