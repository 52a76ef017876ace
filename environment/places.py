"""Cities that every world shares: real places, so that a hotel's city exists."""

import math
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple


class City(NamedTuple):
    """A city: country, ISO currency, IANA time zone, degrees north and east, population."""

    name: str
    country: str
    currency: str
    zone: str
    lat: float
    lon: float
    population: int


CITIES: tuple[City, ...] = (
    City("Amsterdam", "Netherlands", "EUR", "Europe/Amsterdam", 52.3676, 4.9041, 921000),
    City("Athens", "Greece", "EUR", "Europe/Athens", 37.9838, 23.7275, 643000),
    City("Auckland", "New Zealand", "NZD", "Pacific/Auckland", -36.8509, 174.7645, 1470000),
    City("Bangkok", "Thailand", "THB", "Asia/Bangkok", 13.7563, 100.5018, 5104000),
    City("Barcelona", "Spain", "EUR", "Europe/Madrid", 41.3874, 2.1686, 1620000),
    City("Berlin", "Germany", "EUR", "Europe/Berlin", 52.52, 13.405, 3677000),
    City("Bogotá", "Colombia", "COP", "America/Bogota", 4.711, -74.0721, 7181000),
    City("Boston", "United States", "USD", "America/New_York", 42.3601, -71.0589, 654000),
    City("Brussels", "Belgium", "EUR", "Europe/Brussels", 50.8503, 4.3517, 1209000),
    City("Budapest", "Hungary", "HUF", "Europe/Budapest", 47.4979, 19.0402, 1723000),
    City("Buenos Aires", "Argentina", "ARS", "America/Argentina/Buenos_Aires",
         -34.6037, -58.3816, 3121000),
    City("Cairo", "Egypt", "EGP", "Africa/Cairo", 30.0444, 31.2357, 9540000),
    City("Cape Town", "South Africa", "ZAR", "Africa/Johannesburg", -33.9249, 18.4241, 4618000),
    City("Chicago", "United States", "USD", "America/Chicago", 41.8781, -87.6298, 2697000),
    City("Copenhagen", "Denmark", "DKK", "Europe/Copenhagen", 55.6761, 12.5683, 644000),
    City("Dublin", "Ireland", "EUR", "Europe/Dublin", 53.3498, -6.2603, 592000),
    City("Edinburgh", "United Kingdom", "GBP", "Europe/London", 55.9533, -3.1883, 506000),
    City("Geneva", "Switzerland", "CHF", "Europe/Zurich", 46.2044, 6.1432, 203000),
    City("Hamburg", "Germany", "EUR", "Europe/Berlin", 53.5511, 9.9937, 1853000),
    City("Hanoi", "Vietnam", "VND", "Asia/Ho_Chi_Minh", 21.0278, 105.8342, 8053000),
    City("Helsinki", "Finland", "EUR", "Europe/Helsinki", 60.1699, 24.9384, 658000),
    City("Istanbul", "Turkey", "TRY", "Europe/Istanbul", 41.0082, 28.9784, 15460000),
    City("Kyoto", "Japan", "JPY", "Asia/Tokyo", 35.0116, 135.7681, 1464000),
    City("Lima", "Peru", "PEN", "America/Lima", -12.0464, -77.0428, 9752000),
    City("Lisbon", "Portugal", "EUR", "Europe/Lisbon", 38.7223, -9.1393, 546000),
    City("London", "United Kingdom", "GBP", "Europe/London", 51.5074, -0.1278, 8866000),
    City("Lyon", "France", "EUR", "Europe/Paris", 45.764, 4.8357, 522000),
    City("Madrid", "Spain", "EUR", "Europe/Madrid", 40.4168, -3.7038, 3305000),
    City("Melbourne", "Australia", "AUD", "Australia/Melbourne", -37.8136, 144.9631, 5078000),
    City("Mexico City", "Mexico", "MXN", "America/Mexico_City", 19.4326, -99.1332, 9209000),
    City("Milan", "Italy", "EUR", "Europe/Rome", 45.4642, 9.19, 1372000),
    City("Montreal", "Canada", "CAD", "America/Toronto", 45.5019, -73.5674, 1763000),
    City("Munich", "Germany", "EUR", "Europe/Berlin", 48.1351, 11.582, 1512000),
    City("Nairobi", "Kenya", "KES", "Africa/Nairobi", -1.2921, 36.8219, 4397000),
    City("New York", "United States", "USD", "America/New_York", 40.7128, -74.006, 8336000),
    City("Oslo", "Norway", "NOK", "Europe/Oslo", 59.9139, 10.7522, 709000),
    City("Paris", "France", "EUR", "Europe/Paris", 48.8566, 2.3522, 2103000),
    City("Prague", "Czech Republic", "CZK", "Europe/Prague", 50.0755, 14.4378, 1357000),
    City("Rome", "Italy", "EUR", "Europe/Rome", 41.9028, 12.4964, 2748000),
    City("San Francisco", "United States", "USD", "America/Los_Angeles",
         37.7749, -122.4194, 808000),
    City("Santiago", "Chile", "CLP", "America/Santiago", -33.4489, -70.6693, 6269000),
    City("Seattle", "United States", "USD", "America/Los_Angeles", 47.6062, -122.3321, 749000),
    City("Seoul", "South Korea", "KRW", "Asia/Seoul", 37.5665, 126.978, 9411000),
    City("Singapore", "Singapore", "SGD", "Asia/Singapore", 1.3521, 103.8198, 5640000),
    City("Stockholm", "Sweden", "SEK", "Europe/Stockholm", 59.3293, 18.0686, 984000),
    City("Sydney", "Australia", "AUD", "Australia/Sydney", -33.8688, 151.2093, 5297000),
    City("Toronto", "Canada", "CAD", "America/Toronto", 43.6532, -79.3832, 2794000),
    City("Vancouver", "Canada", "CAD", "America/Vancouver", 49.2827, -123.1207, 662000),
    City("Vienna", "Austria", "EUR", "Europe/Vienna", 48.2082, 16.3738, 1982000),
    City("Warsaw", "Poland", "PLN", "Europe/Warsaw", 52.2297, 21.0122, 1862000),
    City("Zurich", "Switzerland", "CHF", "Europe/Zurich", 47.3769, 8.5417, 443000),
)  # fmt: skip

CITY_NAMES: tuple[str, ...] = tuple(city.name for city in CITIES)
BY_NAME: dict[str, City] = {city.name: city for city in CITIES}

_EARTH_RADIUS_KM = 6371


@cache
def distance_km(one: str, other: str) -> float:
    """Return the great-circle distance of two cities in km, to 0.1; KeyError on unknown names."""
    first, second = BY_NAME[one], BY_NAME[other]
    lat, other_lat = math.radians(first.lat), math.radians(second.lat)
    half_lon = math.radians(second.lon - first.lon) / 2
    chord = (
        math.sin((other_lat - lat) / 2) ** 2
        + math.cos(lat) * math.cos(other_lat) * math.sin(half_lon) ** 2
    )
    return round(2 * _EARTH_RADIUS_KM * math.asin(math.sqrt(chord)), 1)


def plane_km(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the km between two positions {lat, lon}, on a plane along the latitude."""
    north, east = one["lat"] - other["lat"], abs(one["lon"] - other["lon"])
    east = min(east, 360 - east) * (1 - abs(one["lat"] + other["lat"]) / 240)
    return float(111.2 * (north**2 + east**2) ** 0.5)
