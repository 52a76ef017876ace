"""Words of parameter names: what else they are called, and how they are shortened."""

from collections.abc import Mapping


def _table(lines: str) -> Mapping[str, tuple[str, ...]]:
    """Read lines of a word and what stands for it."""
    rows = (line.split(":") for line in lines.strip().splitlines())
    return {word.strip(): tuple(others.split()) for word, others in rows}


# Names as a whole, which stand for themselves alone, then single words.
SYNONYMS = _table("""
    sort_by: order_by sorting sort_order
    check_in: arrival arrival_date start_date
    not_before: earliest after
    led_by: leader lead
    collected_by: collector taken_by
    per_week: weekly
    open_at: opening_time at_time
    depart_at: departure departure_time leave_at
    down_payment: deposit initial_payment
    keep_back: reserve hold_back
    day_off: free_day rest_day
    ship_on: dispatch_date sent_on
    valid_on: effective_on active_on
    given_on: administered_on injected_on
    done_on: completed_on finished_on
    needed_on: required_on wanted_on
    new_day: new_date moved_to
    with_files: attachments include_attachments
    on_shelf: available in_stock
    any_language: all_languages every_language
    business_hours: office_hours working_time
    published_since: published_after released_since
    order_id: order_number order_ref booking_number
    position_id: vacancy_id job_id opening_id
    line_ids: route_ids service_ids
    slot_id: appointment_id time_id
    stop_id: station_id halt_id
    session_id: class_id training_id
    series_id: dataset_id sequence_id
    release_id: version_id tag_id
    pass_id: ticket_id card_id
    item_id: article_id product_id
    first_day: start_day opening_day
    first_shift: morning_shift shift_a
    second_shift: other_shift shift_b
    from_day: start_day since_day
    from_stop: origin_stop start_stop
    from_year: since_year min_year
    to: recipients receivers send_to
    by: criterion according_to based_on
    on: date day at
    x: horizontal first_column independent
    y: vertical second_column dependent
    also: including additionally extra
    top: limit first_n best
    use: purpose indication application
    which: kind choice selection
    about: subject regarding theme
    among: within candidates out_of
    via: through by_way_of channel
    within: inside in_range radius
    without: excluding except omit
    near: close_to around location
    account: bank_account ledger
    activity: sport exercise workout
    activities: sports exercises workouts
    address: location street
    after: since later_than from
    age: years_old years
    agent: handler clerk advisor
    album: record release
    amount: sum total value
    amounts: sums totals figures
    analyte: substance compound target
    animal: pet creature
    annual: yearly per_year
    appliance: device machine
    appointment: visit booking
    area: surface size
    arrival: check_in arriving start
    artist: musician performer band
    artists: musicians performers bands
    assignee: responsible assigned_to
    assignment: allocation task
    author: writer committer creator
    base: baseline threshold
    bed: plot patch
    before: until prior_to earlier_than
    body: content message text
    book: volume title
    booking: reservation order
    brands: makes manufacturers
    break: pause rest
    breaks: pauses rests
    budget: limit funds
    bump: increment step
    buyer: purchaser customer
    candidate: applicant person
    carrier: courier shipper
    case: ticket incident
    categories: types groups
    category: type group class
    chore: task duty
    cities: towns locations places
    city: town location place
    claim: damage_report request
    client: customer company
    code: identifier key
    codes: identifiers keys
    column: field variable
    comment: remark review note
    commit: revision change
    compounding: interest_period frequency
    concert: show gig
    cost: price expense
    costs: expenses charges
    count: number quantity
    country: nation state
    course: dish class
    covers: insures includes
    credits: points ects
    cuisine: kitchen style
    currency: money unit
    curve: line calibration
    customer: client buyer
    damage: loss harm
    damages: losses harms
    date: day when
    day: date when
    days: duration period
    deal: offer transaction
    deduct: subtract minus
    deductible: excess own_share
    deductions: allowances subtractions
    demand: consumption need
    department: division unit
    dependants: children dependents
    destination: target arrival goal
    diet: nutrition regime
    diets: nutritions regimes
    dilution: thinning
    direction: orientation rounding
    discount: reduction rebate
    distance: length range
    district: quarter neighbourhood
    doctor: physician specialist
    document: file text
    drop: remove discard
    earliest: first soonest
    effort: intensity strain
    email: mail address recipient
    employee: staff worker
    end: finish stop
    enrolment: registration signup
    event: occasion happening
    express: urgent fast
    extension: delay extra
    extra: additional surplus
    extras: additions options
    facilities: amenities equipment
    factor: ratio multiplier
    fee: charge price
    field: subject discipline
    file: attachment document
    filing: return declaration
    film: movie picture
    first: start initial
    fixed: constant flat
    fixture: match game
    flat: fixed lump
    food: feed product
    frequency: interval rhythm
    from: source start
    frost: freeze cold
    fuel: petrol gas
    games: matches fixtures
    gardener: owner user
    genre: style category
    goods: items wares
    grade: mark score
    grams: weight mass
    ground: pitch field
    group: team circle
    growth: increase rise
    guest: visitor customer
    guests: visitors people
    hazard: danger risk
    heading: section title
    height: tall depth
    helpers: members people
    highest: largest top
    hire: rental lease
    hold: reservation waitlist
    holder: owner customer
    holding: storage carrying
    hotel: accommodation lodging
    hours: duration time
    income: earnings revenue
    ingredient: item component
    ingredients: components items
    intercept: offset constant
    interview: meeting talk
    interviewer: host recruiter
    interviewers: hosts recruiters
    invoice: bill receipt
    issue: ticket problem
    issued: billed dated
    item: article product
    items: articles products
    keep: retain preserve
    kennel: boarding shelter
    kilometres: distance length
    kind: type category
    kinds: types categories
    label: tag mark
    labels: tags marks
    language: tongue speech
    last: recent final
    lat: latitude north
    league: division competition
    leave: absence vacation
    length: long size
    level: grade degree
    light: exposure sunshine
    liked: favourites preferred
    liking: preference wish
    limit: maximum cap
    line: row fit
    lines: rows entries
    list: collection set
    listing: property advert
    loan: borrowing lending
    lon: longitude east
    low: minimum lowest
    high: maximum highest
    mail: message letter
    margin: markup profit
    material: matter specimen
    max: maximum upper highest
    medicine: drug medication
    medicines: drugs medications
    meeting: appointment event
    member: participant athlete
    members: participants athletes
    mentions: contains keyword
    merge: join union
    meter: device counter
    min: minimum lower least
    minute: min
    minutes: duration time
    mode: transport means
    monthly: per_month
    months: duration period
    move: transfer shift
    name: title label
    needed: required wanted
    night: nocturnal overnight
    nights: duration stay_length
    note: comment remark
    notes: comments remarks
    office: site branch
    opened: created started
    order: sorting ranking
    organisations: companies firms
    organiser: host planner
    origin: source departure start
    owner: holder proprietor
    pages: length sheets
    parcel: package shipment
    part: half portion
    pass: ticket card
    passage: text excerpt
    passenger: traveller rider
    paths: files directories
    patient: person client
    pay: wage salary
    payment: instalment sum
    people: persons guests
    percent: percentage rate
    peril: danger cause
    perils: dangers causes
    period: term interval
    person: individual who
    pickup: collection fetch
    place: location spot
    plan: schedule scheme
    plant: crop species
    planting: sowing crop
    plants: crops species
    playlist: mix songs
    points: dots pairs
    policy: contract insurance
    portions: servings people
    position: location coordinates
    positions: locations coordinates
    power: wattage load
    preference: priority wish
    price: cost amount
    principal: capital sum
    priority: urgency importance
    product: article device
    purchase: order supply
    quantity: amount count number
    race: run competition
    rain: precipitation rainfall
    rate: tariff interest
    rates: values readings
    rating: score stars
    reading: measurement value
    reagent: chemical solution
    reason: cause motive
    receipts: bills vouchers
    recipe: dish meal
    recipient: receiver addressee
    released: published issued
    repair: fix service
    repairer: technician mechanic
    repairs: renovation fixes
    replacement: substitute new_word
    repository: repo project
    reservation: booking hold
    reviewer: author critic
    role: job function
    roles: jobs functions
    room: space area
    rooms: bedrooms spaces
    round: return both
    rule: method criterion
    salary: pay wage
    sample: specimen probe
    savings: capital funds
    seats: places tickets
    section: part group
    sender: from_person author
    series: sequence set
    service: catering type
    servings: portions people
    session: class training
    shares: parts splits
    shift: duty turn
    shopper: buyer customer
    showing: screening performance
    side: venue location
    signals: readings values
    since: from after
    size: dimensions measures
    skills: abilities qualifications
    skip: omit ignore
    sku: article product
    skus: articles products
    slope: gradient rise
    slot: time place
    source: origin from
    span: period range
    specialty: discipline field
    species: animal kind
    stars: rating score
    start: begin first
    starts: begins start_time
    status: state condition
    stay: boarding visit
    step: multiple increment
    stock: supply concentration
    stop: station halt
    stops: stations waypoints
    storage: warehousing keeping
    student: learner pupil
    subject: topic title
    subscription: registration signup
    surface: ground turf
    survey: study poll
    symptoms: problems signs
    tablets: pills doses
    taken: current existing
    target: goal aim
    tariff: plan rate
    team: club side
    teams: clubs sides
    template: form pattern
    term: word phrase
    tilt: angle inclination
    time: clock hour
    times: hours clocks
    title: name heading
    topic: theme subject
    train: connection service
    transfer: payment transaction
    traveller: passenger person
    trip: journey way
    trips: journeys rides
    unassigned: open free
    unit: measure scale
    unpaid: unremunerated free
    until: to before
    used: consumed past
    uses: consumes needs
    vaccine: jab shot
    validity: duration period
    value: worth amount
    values: numbers data
    venue: hall location
    viewer: spectator person
    viewing: visit showing
    visitor: guest viewer
    volume: amount quantity
    voucher: coupon code
    warehouse: depot store
    water: moisture watering
    week: seven_days
    weekly: per_week
    weeks: duration period
    weight: mass load
    weighting: weights scheme
    weights: masses loads
    width: wide breadth
    window: time_window slot
    words: terms length
    workout: exercise training
    yearly: annual per_year
    year: vintage since
    years: duration period
    zone: range area
    zones: areas rings
""")

SHORT = _table("""
    account: acct acc
    amount: amt
    amounts: amts
    appointment: appt
    category: cat
    country: ctry
    currency: curr cur
    customer: cust
    department: dept
    destination: dest
    direction: dir
    distance: dist
    district: distr
    document: doc
    email: mail
    employee: emp
    frequency: freq
    hours: hrs h
    ingredient: ingr
    invoice: inv
    kilometres: km
    language: lang
    level: lvl
    limit: lim
    medicine: med
    meeting: mtg
    member: mbr
    minutes: mins min
    months: mths
    order: ord
    origin: orig
    passenger: pax
    patient: pat
    people: ppl
    percent: pct
    policy: pol
    position: pos
    priority: prio
    product: prod
    quantity: qty
    recipient: rcpt
    repository: repo
    reservation: res
    salary: sal
    specialty: spec
    transfer: trf
    values: vals
    vaccine: vacc
    volume: vol
    warehouse: wh
    weight: wt
    weights: wts
    year: yr
    years: yrs
""")

LONG = _table("""
    id: identifier number
    ids: identifiers numbers
    max: maximum
    min: minimum
    kg: kilograms
    km: kilometres
    ml: millilitres
    mm: millimetres
    kwh: kilowatt_hours
    m2: square_metres
    cm: centimetres
    lat: latitude
    lon: longitude
    sku: stock_keeping_unit
    w: watts
    c: celsius
    x: x_column
    y: y_column
    n: number
""")
