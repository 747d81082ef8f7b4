/**
 * What work in organisations is called and what its documents speak of. A space whose name or description has a cue
 * of a topic is taken to be about it, so that routing works before anything was learned. English; spaces in other
 * languages begin with the words of their own descriptions.
 */
interface Topic {
  cues: string;
  words: string;
}

export const TOPICS: readonly Topic[] = [
  {
    cues: 'finance financial accounting bookkeeping treasury controlling budget billing taxes invoices',
    words:
      'invoice budget forecast expense revenue cost payment tax vat ledger audit auditor quarter fiscal balance cash margin profit loss bank transfer receivable payable reimbursement depreciation accrual spending purchase price currency account bookkeeping asset liability equity debt loan interest credit debit dividend shareholder investor turnover gross net provision write-off subsidiary treasury reconciliation receipt statement euro dollar amount paid overdue debtor creditor cent percent capital leasing subsidy fund exchange ebitda earnings closing deferred',
  },
  {
    cues: 'legal law contracts compliance privacy regulatory counsel disputes',
    words:
      'contract clause agreement liability indemnity party court lawsuit claim counsel attorney lawyer licence license trademark patent regulation gdpr consent breach termination jurisdiction nda confidentiality statute warranty dispute settlement signature amendment law legal judge arbitration hearing plaintiff defendant damages copyright infringement authority statutory notary obligation provision penalty article paragraph annex draft notice compliance data protection processing controller processor subject competition antitrust sanctions export register statutes waiver enforce litigation appeal sue',
  },
  {
    cues: 'engineering development software backend frontend platform devops code technology tech developers architecture infrastructure',
    words:
      'deploy deployment release bug code service server api database migration latency test pipeline branch commit review refactor incident outage cluster container cache queue endpoint module library build runtime kubernetes schema rollback repository compiler performance memory thread process request response client version upgrade dependency package script query index table node cloud network dns certificate log logging metric monitor alert trace debug error exception timeout retry backup restore load balancer replica cpu disk algorithm function class type parser json protocol integration staging production feature flag merge pull',
  },
  {
    cues: 'hr people human resources recruiting talent hiring personnel staff culture employees',
    words:
      'employee hire candidate interview salary vacation holiday leave onboarding benefits pension performance manager team training sick absence parental recruitment offer probation appraisal wellbeing diversity resignation applicant colleague staff job position career workload overtime shift working wage pay raise bonus payroll works council union apprentice intern mentor mentoring development workplace harassment maternity retirement recruit vacancy headcount leadership feedback talent course qualification notice severance badge department supervisor part-time',
  },
  {
    cues: 'sales crm deals commercial prospects',
    words:
      'customer deal prospect lead quote proposal pipeline discount renewal upsell account opportunity demo pricing close negotiation quota commission forecast territory buyer stakeholder tender bid reseller distributor order volume partner key account offer win loss competitor meeting pitch crm',
  },
  {
    cues: 'marketing brand campaigns content communications growth advertising press media',
    words:
      'campaign brand audience launch press newsletter social media content webinar conversion landing page ad advertising advertisement impression click slogan logo positioning messaging event sponsor sponsorship survey segment influencer seo blog video awareness banner poster radio agency photo shoot catalogue brochure fair stand podcast hashtag post follower journalist article story spot cinema claim keyword search ranking traffic reach engagement market research focus group design colour font tone voice competition promo loyalty',
  },
  {
    cues: 'support helpdesk customer service success tickets care complaints',
    words:
      'ticket customer complaint refund reply escalation password login issue error troubleshoot troubleshooting helpdesk response resolved workaround faq agent satisfaction account reset shipping return replacement warranty outage chat call caller hotline parcel delivery tracking order broken damaged voucher apologise apology sorry angry happy review template macro user help question answer solved cancel cancellation subscription charged twice lost wrong size restart device app phone',
  },
  {
    cues: 'security infosec cybersecurity risk',
    words:
      'vulnerability attack phishing malware breach password encryption firewall access permission incident patch threat certificate authentication token exploit ransomware penetration compliance disclosure credential log alert attacker hacker secret key vault identity sso scan cve mitigation intrusion endpoint forensic',
  },
  {
    cues: 'product roadmap design ux features discovery',
    words:
      'feature roadmap user interview prototype requirement backlog story usability persona feedback release metric adoption experiment wireframe mockup hypothesis prioritise prioritize sprint flow onboarding journey design insight screen button layout navigation beta priority vision strategy discovery customer problem solution',
  },
  {
    cues: 'operations logistics facilities office supply warehouse procurement manufacturing maintenance production',
    words:
      'supplier shipment delivery warehouse stock inventory order maintenance repair machine shift safety building room cleaning lease vendor transport pallet equipment schedule capacity truck carrier customs packaging heating elevator boiler pump valve sensor assembly line factory plant fork lift spare part technician inspection key reception desk parking waste',
  },
  {
    cues: 'medical health clinical patients hospital medicine',
    words:
      'patient treatment diagnosis dose trial symptom therapy clinic doctor nurse blood disease drug surgery vaccine study cohort screening prescription chronic acute infection hospital cardiac tumour tumor lung heart kidney liver insulin antibiotic placebo mortality adverse effect physician ward icu scan biopsy',
  },
  {
    cues: 'science research laboratory lab experiments academic',
    words:
      'experiment hypothesis sample measurement result method paper data analysis laboratory theory model instrument publication journal spectrum molecule particle genome cell species observation statistical simulation calibration protein reaction temperature pressure microscope peer dataset variance significant',
  },
  {
    cues: 'travel trips tourism hospitality',
    words:
      'flight hotel booking itinerary train airport visa ticket passport luggage reservation trip conference venue restaurant guide arrival departure museum tour rental beach island journey station airline room night breakfast',
  },
  {
    cues: 'education learning courses school teaching curriculum',
    words:
      'student course lesson teacher exam lecture homework school university curriculum grade class semester assignment tutorial pupil learning syllabus workshop certificate module seminar classroom professor thesis',
  },
];

/** Words of every kind of document, which tell none from another. */
export const COMMON_WORDS =
  'new two three four five six nine ten week month year day today yesterday time first second last next people person work need ask because use now make one may must can get good back still also again only even much many most more less least few some every each both between since until before after later than then there here when where who what which how why say said tell give take put go come see look know think want like keep hold let set number part end begin start stop long short old young high low large small right left open close way thing place hand side point case half monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december spring summer autumn winter morning hour minute once per about above under over without within against during nobody everybody another other same different own please whether already soon often never always instead across hundred thousand';
