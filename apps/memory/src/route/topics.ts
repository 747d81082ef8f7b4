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
    cues: 'finance financial accounting bookkeeping treasury controlling budget billing payroll',
    words:
      'invoice budget forecast expense revenue cost payment tax vat ledger audit quarter fiscal balance cash margin profit loss bank transfer receivable payable reimbursement depreciation accrual spending purchase order price currency account',
  },
  {
    cues: 'legal law contracts compliance privacy regulatory counsel policy',
    words:
      'contract clause agreement liability indemnity party court lawsuit claim counsel attorney licence license trademark patent regulation gdpr consent breach termination jurisdiction nda confidentiality statute warranty dispute settlement signature amendment',
  },
  {
    cues: 'engineering development software backend frontend platform devops code technology tech developers architecture infrastructure',
    words:
      'deploy deployment release bug code service server api database migration latency test pipeline branch commit review refactor incident outage cluster container cache queue endpoint module library build runtime kubernetes schema rollback repository compiler performance',
  },
  {
    cues: 'hr people human resources recruiting talent hiring personnel staff culture',
    words:
      'employee hire candidate interview salary vacation holiday leave onboarding benefits pension performance review manager team training contract sick absence parental recruitment offer probation appraisal training course wellbeing diversity resignation applicant',
  },
  {
    cues: 'sales crm deals accounts commercial prospects pipeline',
    words:
      'customer deal prospect lead quote proposal pipeline discount renewal upsell account opportunity demo pricing close negotiation quota commission forecast territory buyer stakeholder procurement churn contract tender bid',
  },
  {
    cues: 'marketing brand campaigns content communications growth advertising press',
    words:
      'campaign brand audience launch press newsletter social media content webinar conversion landing page ad advertising impression click slogan logo positioning messaging event sponsor survey segment influencer seo blog video newsletter awareness',
  },
  {
    cues: 'support helpdesk customer service success tickets care',
    words:
      'ticket customer complaint refund reply escalation password login issue error troubleshoot helpdesk response resolved workaround faq agent satisfaction account reset shipping return replacement warranty outage chat call',
  },
  {
    cues: 'security infosec cybersecurity risk',
    words:
      'vulnerability attack phishing malware breach password encryption firewall access permission audit incident patch threat certificate authentication token exploit ransomware penetration compliance disclosure credential log alert',
  },
  {
    cues: 'product roadmap design ux research features discovery',
    words:
      'feature roadmap user interview prototype requirement backlog story usability persona feedback release metric adoption experiment wireframe mockup hypothesis prioritise prioritize sprint flow onboarding journey design insight',
  },
  {
    cues: 'operations logistics facilities office supply warehouse procurement manufacturing maintenance production',
    words:
      'supplier shipment delivery warehouse stock inventory order maintenance repair machine shift safety building room cleaning lease vendor transport pallet equipment schedule capacity truck carrier customs packaging heating elevator',
  },
  {
    cues: 'medical health clinical patients hospital medicine care',
    words:
      'patient treatment diagnosis dose trial symptom therapy clinic doctor nurse blood disease drug surgery vaccine study cohort screening prescription chronic acute infection hospital cardiac tumour tumor',
  },
  {
    cues: 'science research laboratory lab experiments academic study',
    words:
      'experiment hypothesis sample measurement result method paper data analysis laboratory theory model instrument publication journal spectrum molecule particle genome cell species observation statistical simulation calibration',
  },
  {
    cues: 'travel trips tourism events hospitality',
    words:
      'flight hotel booking itinerary train airport visa ticket passport luggage reservation trip conference venue restaurant guide arrival departure museum tour rental',
  },
  {
    cues: 'education learning training courses school teaching curriculum',
    words:
      'student course lesson teacher exam lecture homework school university curriculum grade class semester assignment tutorial pupil learning syllabus workshop certificate module',
  },
];
